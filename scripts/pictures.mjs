import { handOver } from './install.mjs';

await handOver('scripts/pictures.ts', process.argv.slice(2));
