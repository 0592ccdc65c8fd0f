import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_URL } from './surroundings.ts';

export type Build = {
  folder: string;
  /** The id of each server action, by its name. */
  actions: Record<string, string>;
  routes: string[];
  pages: string[];
  /** The configuration as Next.js resolved it. */
  config: Record<string, unknown>;
};

/** Where builds are: two versions side by side have a folder each. */
const FOLDERS = (process.env['BUILD_FOLDERS'] ?? '.builds').split(':');

/** Reads facts about the build that a web serves. The build id in its pages names its folder. */
export async function readBuild(origin = BASE_URL): Promise<Build> {
  const buildId = /\\"b\\":\\"([^\\"]+)\\"/.exec(await (await fetch(`${origin}/login`)).text())![1];
  const folder = FOLDERS.flatMap((builds) =>
    readdirSync(builds).map((name) => join(builds, name)),
  ).find((path) => readText(join(path, 'BUILD_ID')) === buildId)!;
  const read = <T>(name: string): T => JSON.parse(readText(join(folder, name))!) as T;
  const { node, edge } = read<Record<'node' | 'edge', Record<string, { exportedName: string }>>>(
    'server/server-reference-manifest.json',
  );
  const paths = Object.keys(read<object>('server/app-paths-manifest.json')).filter(
    (path) => !/^\/(?:apple-)?icon/.test(path),
  );
  const of = (kind: string) =>
    paths
      .filter((path) => path.endsWith(kind))
      .map((path) => path.replace(kind, '').replace(/\/\([^)]+\)/g, '') || '/')
      .sort();
  return {
    folder,
    actions: Object.fromEntries(
      Object.entries({ ...node, ...edge }).map(([id, { exportedName }]) => [exportedName, id]),
    ),
    routes: of('/route'),
    pages: of('/page'),
    config: read<{ config: Record<string, unknown> }>('required-server-files.json').config,
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
