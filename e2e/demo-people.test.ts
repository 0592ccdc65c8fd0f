import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEMO_PEOPLE } from '#lib/access/merchant.ts';

it('the demo’s people have the name here that the login gives them at their first sign-in', () => {
  // Nothing imports the sandbox: what it knows is read as text.
  const seed = readFileSync(join(import.meta.dirname, '../sandbox/seed/merchant.ts'), 'utf8');
  for (const { email, name } of DEMO_PEOPLE) {
    const [, first, last] = seed
      .split(`email: '${email}'`)[1]!
      .match(/first: '([^']+)',\s+last: '([^']+)'/)!;
    expect(`${first} ${last}`, email).toBe(name);
  }
});
