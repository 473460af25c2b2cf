// SPDX-License-Identifier: MIT
// Reads wall and monotonic clocks between allocations and garbage collections.
let keep = [];
for (let round = 0; round < 200; round++) {
    for (let i = 0; i < 2000; i++)
        keep.push({ i, s: 'x' + i, a: new Array(8) });
    if (round % 10 === 0)
        keep = [];
    if (global.gc && round % 50 === 0)
        global.gc();
    if (round % 20 === 0)
        console.log(Date.now(), process.hrtime.bigint(), performance.now(), performance.timeOrigin);
}
setTimeout(() => console.log('later', Date.now(), process.hrtime.bigint()), 20);
