import { handOver } from './install.mjs';

await handOver('scripts/webhooks.ts', process.argv.slice(2));
