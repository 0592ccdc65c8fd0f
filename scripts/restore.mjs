import { handOver } from './install.mjs';

await handOver('scripts/backup/restore.ts', process.argv.slice(2));
