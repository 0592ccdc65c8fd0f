/**
 * Writes brotli and gzip versions beside the static files of a build, as small as these encodings
 * get: the files never change, so the work is done once. `node scripts/precompress.ts <folder>`
 * does so for the build in that folder.
 */
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Fonts and pictures are compressed already. */
const TEXT = /\.(?:css|js|json|svg|txt)$/;
/** A smaller file fits into one packet with its headers. */
const LEAST_BYTES = 1_024;
/** Node's pool has four threads. */
const AT_ONCE = 4;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Returns the number of files that were compressed. `build`: the folder of a finished build. */
export async function precompress(build: string): Promise<number> {
  const folder = join(build, 'static');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const left = [...files];
  const lane = async (): Promise<void> => {
    for (let file = left.pop(); file !== undefined; file = left.pop()) await compress(file);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return files.length;
}

async function compress(file: string): Promise<void> {
  const body = await readFile(file);
  if (body.byteLength < LEAST_BYTES) return;
  const packed = {
    '.br': await brotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      },
    }),
    '.gz': await gzipped(body, { level: constants.Z_BEST_COMPRESSION }),
  };
  for (const [ending, bytes] of Object.entries(packed))
    if (bytes.byteLength < body.byteLength) await writeFile(file + ending, bytes);
}

if (import.meta.main) {
  const [folder = '.next'] = process.argv.slice(2);
  console.log(`Compressed ${await precompress(resolve(folder))} static files.`);
}
