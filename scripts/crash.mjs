import { handOver } from './install.mjs';

await handOver('scripts/crash.ts', process.argv.slice(2));
