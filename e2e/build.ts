import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_URL } from './surroundings.ts';

/** What the build that is being served says of itself, its actions by their names: its folder is found by the name it gives in its pages. */
export async function readBuild(): Promise<{ actions: Record<string, string>; routes: string[] }> {
  const buildId = /\\"b\\":\\"([^\\"]+)\\"/.exec(await (await fetch(`${BASE_URL}/login`)).text())![1];
  const folder = readdirSync('.builds').map((name) => join('.builds', name)).find((path) => readText(join(path, 'BUILD_ID')) === buildId)!;
  const manifest = JSON.parse(readText(join(folder, 'server/server-reference-manifest.json'))!) as { node: Record<string, { exportedName: string }> };
  const paths = Object.keys(JSON.parse(readText(join(folder, 'server/app-paths-manifest.json'))!) as object);
  return {
    actions: Object.fromEntries(Object.entries(manifest.node).map(([id, { exportedName }]) => [exportedName, id])),
    routes: paths.filter((path) => path.endsWith('/route') && !path.startsWith('/icon')).map((path) => path.replace(/\/route$/, '')).sort(),
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
