import { handOver } from './install.mjs';

await handOver('scripts/up.ts', process.argv.slice(2));
