import { handOver } from './install.mjs';

await handOver('scripts/test.ts', process.argv.slice(2));
