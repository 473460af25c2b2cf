// SPDX-License-Identifier: MIT
const crypto = require('crypto');
console.log('r', process.pid);
console.log('r', Math.random());
console.log('r', crypto.randomUUID());
console.log('r', crypto.randomBytes(16).toString('hex'));
console.log(Date.now(), new Date().toISOString());
setTimeout(() => console.log('r', Math.random(), Date.now()), 5);
