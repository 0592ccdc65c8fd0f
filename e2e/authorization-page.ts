import { may, ROLES } from '#lib/access/actor.ts';
import type { Role } from '#lib/access/actor.ts';
import { readDoors } from './authorization-doors.ts';
import type { Access, Door } from './authorization-doors.ts';

/** The page `docs/authorization-matrix.md`: every door of the product by role. */

const HEAD = `# Who may call what

Every server action, page and route handler, by role and without a session. Made from the code by
\`node e2e/authorization.ts\`: the doors from the files of \`app/\`, the rights of roles from
\`lib/access/actor.ts\`, the right of a page from its first check, and the right of an action from its
probe in \`e2e/doors.spec.ts\`. \`e2e/authorization.test.ts\` fails when this page is stale or when an
action or a route has no row.

- ● works. ○ works for every role, or for the person's own things.
- ② works as the second of two people: never for the person who asked.
- – is refused. Without a session a page leads to the sign-in and a route answers 401.

A role's right is the least that a call needs. The verb behind it asks for more from the facts: who
made a movement never approves it, and a policy may ask for an owner. A deputy has the right
\`movement.approve\` beside the own role while the deputyship lasts, and no other one
(\`lib/approvals/deputies.db.test.ts\`).
`;

const DOORS = '`e2e/doors.spec.ts`';
const ACTION_PROOF = `Proof of every row: ${DOORS} ::
«every action refuses strangers, other origins and lesser roles, and works when rightly called» and
«each role is refused every action whose right it lacks, and the trail names the right».
The last column names a database test of the verb behind the action.
`;
const PAGE_PROOF = `Proof of every row: ${DOORS} ::
«every route answers a request without a session properly, and every page redirects to sign-in» and
«each role opens exactly the pages and routes that the matrix gives it».
`;

export function authorizationPage(root: string): string {
  const { actions, pages, routes } = readDoors(root);
  return [
    HEAD,
    section(`Actions (${actions.length})`, ACTION_PROOF, actions, true),
    section(`Pages (${pages.length})`, PAGE_PROOF, pages, false),
    section(`Route handlers (${routes.length})`, PAGE_PROOF, routes, false),
  ].join('\n');
}

function section(title: string, proof: string, doors: readonly Door[], hasTests: boolean): string {
  const columns = ['Name', 'Right', ...ROLES, 'no session', 'File'];
  const head = [...columns, ...(hasTests ? ['Verb’s test'] : [])];
  return [
    `## ${title}\n`,
    proof,
    line(head),
    `|${head.map(() => '---|').join('')}`,
    ...doors.map((door) => line([...cells(door), ...(hasTests ? [testCell(door)] : [])])),
    '',
  ].join('\n');
}

function cells(door: Door): string[] {
  return [
    `\`${door.name}\``,
    rightText(door.access),
    ...ROLES.map((role) => mark(door, role)),
    door.access.kind === 'anybody' ? '●' : '–',
    `\`${door.file}\``,
  ];
}

function testCell({ test }: Door): string {
  return test === null ? '' : `\`${test}\``;
}

function rightText(access: Access): string {
  switch (access.kind) {
    case 'permissions':
      return access.permissions.map((one) => `\`${one}\``).join(', ');
    case 'session':
      return 'a session';
    case 'anybody':
      return 'none';
    case 'other':
      return access.what;
  }
}

function mark({ access, second }: Door, role: Role): string {
  if (!mayPass(access, role)) return '–';
  if (second) return '②';
  return access.kind === 'session' ? '○' : '●';
}

/** Whether a signed-in person of this role gets past the check of the role. */
export function mayPass(access: Access, role: Role): boolean {
  if (access.kind === 'other') return false;
  return access.kind !== 'permissions' || access.permissions.every((one) => may(role, one));
}

function line(texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |`;
}
