import { handOver } from './install.mjs';

await handOver('bench/main.ts', process.argv.slice(2));
