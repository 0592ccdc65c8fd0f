import { handOver } from './install.mjs';

await handOver('scripts/cluster/main.ts', process.argv.slice(2));
