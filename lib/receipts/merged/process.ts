import 'server-only';
import { readFrames } from './frames.ts';
import { mergePdfs } from './merge.ts';

/**
 * Process entry: merges the receipts of its standard input and writes the file to its standard
 * output. It parses foreign bytes, so it has no secrets, no database and no right to write a file.
 */

const { words, items } = await readFrames(process.stdin);
const { bytes } = await mergePdfs(items, words);
process.stdout.write(bytes);
