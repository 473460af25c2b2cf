// SPDX-License-Identifier: MIT
// An hour (or the seconds that are given) of node's ways to wait, each its part.
const timers = require('timers/promises');

const hour = Number(process.argv[2]) * 1000;
const begin = performance.now();
const percent = (since) => Math.round((performance.now() - since) / hour * 100);

async function part(name, wait) {
    const before = performance.now();
    const result = await wait();
    console.log(name, result, percent(before));
}

function interval() {
    return new Promise((resolve) => {
        let ticks = 0;
        const ticking = setInterval(() => {
            if (++ticks === 4) {
                clearInterval(ticking);
                resolve(ticks);
            }
        }, hour / 20);
    });
}

async function main() {
    await part('timeout', () => timers.setTimeout(hour * 3 / 10, 'over'));
    await part('interval', interval);
    await part('race', () => Promise.race([5, 2, 4].map((n) => timers.setTimeout(hour * n / 10, n))));
    await part('atomics', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, hour / 10));
    await part('abort', () => timers.setTimeout(hour, 'late', {signal: AbortSignal.timeout(hour * 2 / 10)})
        .catch((error) => error.name));
    console.log('all', percent(begin));
    console.log('clock', Date.now());
    process.exit(0);
}

main();
