import { handOver } from './install.mjs';

await handOver('scripts/upgrade/main.ts', process.argv.slice(2));
