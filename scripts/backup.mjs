import { handOver } from './install.mjs';

await handOver('scripts/backup/backup.ts', process.argv.slice(2));
