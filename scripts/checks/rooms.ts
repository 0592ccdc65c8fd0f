/** The rooms of lib/ (its folders) and the imports between them. */

/** A module as dependency-cruiser reports it; paths are relative to the project's root. */
export type CruisedModule = {
  source: string;
  dependencies: { resolved: string; dependencyTypes: string[] }[];
};

const ROOM = /^lib\/([^/]+)\//;
const NOT_THE_PRODUCT = /\.test\.tsx?$|\/testing\/|\.samples\.ts$|-fixture\.ts$/;

/**
 * Returns the rings: groups of rooms that need each other through imports of values, each as `a > b
 * > a` with one import that proves each arrow. Empty when imports between rooms go one way only.
 */
export function ringsOf(modules: readonly CruisedModule[]): string[] {
  const arrows = arrowsBetweenRooms(modules);
  const rings: string[] = [];
  const seen = new Set<string>();
  for (const start of arrows.keys()) {
    if (seen.has(start)) continue;
    const path = wayBack(arrows, start);
    if (path === null) continue;
    for (const room of path) seen.add(room);
    const proofs = path.map((room, at) => arrows.get(room)?.get(path[at + 1] ?? start) ?? '');
    rings.push(`${[...path, start].join(' > ')}: ${proofs.join(', ')}`);
  }
  return rings;
}

/**
 * Returns, for each room, the rooms that it imports values from, each with the first such import.
 */
function arrowsBetweenRooms(modules: readonly CruisedModule[]): Map<string, Map<string, string>> {
  const arrows = new Map<string, Map<string, string>>();
  for (const { source, dependencies } of modules) {
    const from = ROOM.exec(source)?.[1];
    if (from === undefined || NOT_THE_PRODUCT.test(source)) continue;
    for (const { resolved, dependencyTypes } of dependencies) {
      const to = ROOM.exec(resolved)?.[1];
      if (to === undefined || to === from || dependencyTypes.includes('type-only')) continue;
      const known = arrows.get(from) ?? new Map<string, string>();
      if (!known.has(to)) known.set(to, `${source} → ${resolved}`);
      arrows.set(from, known);
    }
  }
  return arrows;
}

/**
 * Returns the shortest chain of rooms from a room back to itself, beginning with the room; null
 * when there is none.
 */
function wayBack(arrows: Map<string, Map<string, string>>, start: string): string[] | null {
  const ways: string[][] = [[start]];
  const reached = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of arrows.get(way.at(-1) ?? start)?.keys() ?? []) {
      if (next === start) return way;
      if (reached.has(next)) continue;
      reached.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}
