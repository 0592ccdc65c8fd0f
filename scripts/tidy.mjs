import { handOver } from './install.mjs';

await handOver('scripts/tidy.ts', process.argv.slice(2));
