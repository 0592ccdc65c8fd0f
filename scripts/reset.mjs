import { handOver } from './install.mjs';

await handOver('scripts/reset.ts', process.argv.slice(2));
