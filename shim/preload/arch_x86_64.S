/* SPDX-License-Identifier: MIT */
/*
 * Entries that C cannot write. SITE: libc's `mov $nr,%eax; syscall` was replaced by a jump to a stub
 * that loads the address behind the syscall into %rcx (which a system call clobbers anyway) and
 * jumps here with the kernel's arguments in place. All registers but %rax, %rcx, %r11 are kept, the
 * vector registers too, and the red zone is left alone.
 */
#define SYMBOL 1
#define VDSO 2
#define SITE 4
#define ENTRY 8
#define NOTIFY 16
#define NOTIFY_IF(test) 32
#define WITH(option) 0
#define BY_NUMBER 0
#define SELF_COUNTED 64
#define LATE 128

#include <asm/unistd.h>

#include "signal_stubs.h"

	.text

.macro save_vectors
	subq	$256, %rsp
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups	%xmm\n, 16*\n(%rsp)
	.endr
.endm

.macro restore_vectors
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups	16*\n(%rsp), %xmm\n
	.endr
.endm

/* The unwind rules let a cancellation that arrives in here unwind into libc's frame. */
.macro site_entry name
	.type	site_\name, @function
site_\name:
	.cfi_startproc
	.cfi_def_cfa %rsp, 0
	.cfi_register %rip, %rcx
	leaq	-128(%rsp), %rsp
	.cfi_def_cfa_offset 128
	pushq	%rcx
	.cfi_def_cfa_offset 136
	.cfi_offset %rip, -136
	pushq	%rbx
	.cfi_def_cfa_offset 144
	.cfi_offset %rbx, -144
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	pushq	%r10
	pushq	%r8
	pushq	%r9
	.cfi_def_cfa_offset 192
	movq	%rsp, %rbx
	.cfi_def_cfa_register %rbx
	andq	$-16, %rsp
	save_vectors
	movq	%r10, %rcx
	call	enter_\name
	restore_vectors
	movq	%rbx, %rsp
	.cfi_def_cfa_register %rsp
	popq	%r9
	popq	%r8
	popq	%r10
	popq	%rdx
	popq	%rsi
	popq	%rdi
	.cfi_def_cfa_offset 144
	popq	%rbx
	.cfi_def_cfa_offset 136
	popq	%rcx
	.cfi_def_cfa_offset 128
	.cfi_register %rip, %rcx
	leaq	128(%rsp), %rsp
	jmpq	*%rcx
	.cfi_endproc
	.size	site_\name, . - site_\name
.endm

#define CALL(name, ret, n, args, doors, ...) .if (doors) & SITE ; site_entry name ; .endif
#define CALL_KERNEL(name, ret, n, args, doors, ...) .if (doors) & SITE ; site_entry name ; .endif
#include "detrun/calls.def"

/* struct sites_row of sites.c: number, entry relative to the field, LATE or 0; a zero row ends it. */
	.section .rodata
	.align	4
	.globl	sites_rows
	.hidden	sites_rows
sites_rows:
#define CALL(name, ret, n, args, doors, ...) .if (doors) & SITE ; .long __NR_##name ; .long site_##name - . ; .long (doors) & LATE ; .endif
#define CALL_KERNEL(name, ret, n, args, doors, ...) .if (doors) & SITE ; .long __NR_##name ; .long site_##name - . ; .long (doors) & LATE ; .endif
#include "detrun/calls.def"
	.long	0, 0, 0

/*
 * vfork returns twice on one stack: the return address waits in %rdi, which the system call keeps,
 * while the child uses the stack; the prepared record waits in %rsi.
 */
	.text
	.globl	vfork
	.type	vfork, @function
vfork:
	.cfi_startproc
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
	call	process_prepare
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	movq	%rax, %rsi
	popq	%rdi
	.cfi_def_cfa_offset 0
	.cfi_register %rip, %rdi
	movl	$__NR_vfork, %eax
	syscall
	pushq	%rdi
	.cfi_def_cfa_offset 8
	.cfi_offset %rip, -8
	movq	%rax, %rdi
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
	call	process_after_vfork
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	vfork, . - vfork

/*
 * Handlers of signals that take a siginfo: one stub for each of call_signal.c. A stub is entered as the
 * handler would be and ends in a jump to it, with arguments, stack and return address as they were.
 */
	.globl	signal_stubs
	.hidden	signal_stubs
	.type	signal_stubs, @function
	.balign	SIGNAL_STUB_SIZE
signal_stubs:
	.cfi_startproc
	.set	stub, 0
	.rept	SIGNAL_STUBS
	movl	$stub, %eax
	jmp	enter_handler
	.balign	SIGNAL_STUB_SIZE
	.set	stub, stub + 1
	.endr
	.cfi_endproc
	.size	signal_stubs, . - signal_stubs

	.type	enter_handler, @function
enter_handler:
	.cfi_startproc
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %edi
	call	signal_arrived
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	movq	%rax, %r11
	xorl	%eax, %eax
	jmpq	*%r11
	.cfi_endproc
	.size	enter_handler, . - enter_handler

	.section .note.GNU-stack, "", @progbits
