/* SPDX-License-Identifier: MIT */
/* seed: same */
/* The same under its other name. */
#include "guest_lock.h"

#define pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock
#include "pthread_rwlock_timedrdlock.c"
