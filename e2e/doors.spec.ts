import { randomUUID } from 'node:crypto';
import { expect, test } from './story.ts';
import { readBuild } from './build.ts';
import { rows } from './database.ts';
import { newIban, newTaxNumber } from './payee.ts';
import { processes } from './processes.ts';
import { send, wanted } from './payout.ts';
import { BASE_URL, BASE_URL_2 } from './surroundings.ts';
import { kept, knock } from './webhook-door.ts';

/** What a browser sends to call a server action: text, or a form after the state that was there before. */
type Call = { args: unknown[] } | { form: Record<string, string>; hasState: boolean };
type Probe = { call: Call; /** Whether a right call leaves a trace in the database: the proof that the probe is one. */ leavesTrace: boolean; /** Open to the role that may only look. */ openToSupport?: true };
type Headers = Record<string, string>;

/** Every action of the build has a probe here: a new one without fails this story. */
function probes(ids: { payout: string; notice: string; receipt: string; session: string; person: string }): Record<string, Probe> {
  const payout = { id: randomUUID(), locale: 'tr', wallet: '4410270001', iban: newIban(), name: 'Kapı Deneyi', taxNumber: newTaxNumber(), amount: '10,00', paymentType: '06', description: 'x' };
  return {
    sendPayout: { call: { form: payout, hasState: false }, leavesTrace: true },
    cancelOwnPayout: { call: { args: [ids.payout] }, leavesTrace: true },
    askAboutPayout: { call: { args: [ids.payout] }, leavesTrace: false, openToSupport: true },
    lookUpRecipient: { call: { args: [{ iban: payout.iban, name: payout.name, taxNumber: payout.taxNumber, wallet: payout.wallet }] }, leavesTrace: false },
    findRecipients: { call: { args: ['a'] }, leavesTrace: false },
    readWalletsAgain: { call: { args: [] }, leavesTrace: false },
    askAgain: { call: { form: { id: ids.receipt }, hasState: true }, leavesTrace: false, openToSupport: true },
    replay: { call: { form: { id: ids.notice }, hasState: true }, leavesTrace: true },
    choosePreference: { call: { form: { locale: 'en', theme: 'dark' }, hasState: false }, leavesTrace: false },
    erasePersonalData: { call: { form: { personId: ids.person, reason: 'a reason long enough' }, hasState: true }, leavesTrace: true },
    endOneSession: { call: { form: { id: ids.session }, hasState: true }, leavesTrace: true },
    endEverySession: { call: { form: {}, hasState: true }, leavesTrace: true, openToSupport: true },
    signOut: { call: { args: [] }, leavesTrace: false, openToSupport: true },
  };
}

test('every action and every route of the build refuses strangers, other origins and lesser roles, and nothing changes', async ({ sitDown, openDesk }) => {
  test.setTimeout(120_000);
  await knock('a note behind the door');
  await processes.stop('worker');
  try {
    const clerk = await sitDown('ayse');
    const payout = await send(clerk, wanted());
    const owner = await cookieOf(await sitDown('selin'));
    const support = await cookieOf(await sitDown('can'));
    await openDesk();
    const [receipt] = await rows<{ id: string }>('SELECT id FROM receipts LIMIT 1');
    const [session] = await rows<{ id: string }>(`SELECT s.id FROM sessions s JOIN people p ON p.id = s.person_id WHERE p.email = 'selin@demo.test' AND s.revoked_at IS NULL LIMIT 1`);
    const [person] = await rows<{ id: string }>(`SELECT id FROM people WHERE email = 'ayse@demo.test'`);
    const table = probes({ payout, notice: (await kept('a note behind the door'))!.id, receipt: receipt?.id ?? randomUUID(), session: session!.id, person: person!.id });
    const { actions, routes } = await readBuild();
    expect(Object.keys(actions).sort(), 'actions of the build and probes of this story').toEqual(Object.keys(table).sort());
    expect(routes).toEqual(['/api/auth/[...nextauth]', '/api/events', '/api/health/live', '/api/health/ready', '/api/payouts/[id]', '/api/sign-in', '/api/webhooks/[key]/[channel]', '/audit/checkpoints', '/audit/export', '/receipts/[id]/raw']);

    const own = { origin: BASE_URL, 'sec-fetch-site': 'same-origin' };
    const callers: [who: string, headers: Headers][] = [
      ['nobody', own],
      ['nobody with an invented cookie', { ...own, cookie: 'sid=eyJhbGciOiJkaXIifQ..x.y.z' }],
      ['the owner from another site', { cookie: owner, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
      ['the owner from another site behind a bent proxy', { cookie: owner, origin: 'https://evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' }],
      ['the owner without any origin', { cookie: owner }],
      ['the owner without an origin, from another site', { cookie: owner, 'sec-fetch-site': 'cross-site' }],
      ['the owner with the other scheme', { cookie: owner, origin: BASE_URL.replace('http:', 'https:') }],
      ['the owner from another port', { cookie: owner, origin: BASE_URL_2, 'sec-fetch-site': 'same-site' }],
      ['the owner from nowhere', { cookie: owner, origin: 'null' }],
    ];
    const before = await everything();
    for (const [who, headers] of callers) {
      for (const [name, { call }] of Object.entries(table)) {
        const answer = await callAction(actions[name]!, call, headers);
        // Language and appearance are anybody's choice, and whoever has no session may be rid of its cookie; from elsewhere neither.
        if (who.startsWith('the owner')) expect(answer.headers.get('set-cookie') ?? '', `${name}, called by ${who}, sets a cookie`).not.toMatch(/(^|, )(locale|theme|sid)=/);
        expect(answer.headers.get('x-action-redirect') ?? '', `${name}, called by ${who}`).not.toContain('/payouts/');
      }
      expect(await everything(), `what ${who} changed`).toEqual(before);
    }
    for (const [name, { call, openToSupport }] of Object.entries(table)) if (openToSupport === undefined) await callAction(actions[name]!, call, { ...own, cookie: support });
    expect(await everything(), 'what the person who may only look changed').toEqual(before);
    await refuseRoutes(payout, receipt?.id ?? randomUUID(), owner, support);
    expect(await everything(), 'what the routes changed').toEqual(before);

    // The same calls, made rightly, do what they say: the refusals above were refusals.
    for (const [name, { call }] of Object.entries(table).filter(([, probe]) => probe.leavesTrace)) {
      const untouched = await everything();
      const answer = await callAction(actions[name]!, call, { ...own, cookie: name === 'endEverySession' ? support : owner });
      expect(await everything(), `${name}, called rightly (${answer.status} ${(await answer.text()).slice(-300)}), leaves a trace`).not.toEqual(untouched);
    }
  } finally {
    await processes.start('worker');
  }
});

async function refuseRoutes(payout: string, receipt: string, owner: string, support: string): Promise<void> {
  const cases: [method: string, path: string, headers: Headers, status: number][] = [
    ['GET', `/api/payouts/${payout}`, {}, 401],
    ['GET', '/api/events', {}, 401],
    ['GET', `/receipts/${receipt}/raw`, {}, 401],
    ['GET', `/receipts/${receipt}/raw?download=1`, { cookie: owner, 'sec-fetch-site': 'cross-site' }, 403],
    ['GET', '/audit/export', {}, 401],
    ['GET', '/audit/export', { cookie: support }, 403],
    ['GET', '/audit/export', { cookie: owner, 'sec-fetch-site': 'cross-site' }, 403],
    ['GET', '/audit/checkpoints', { cookie: support }, 403],
    ['POST', '/audit/export', { cookie: owner, origin: BASE_URL }, 405],
    ['POST', '/api/sign-in', { origin: 'https://evil.test', 'content-type': 'application/json' }, 403],
    ['POST', '/api/sign-in', { 'content-type': 'application/json' }, 403],
    ['POST', '/api/sign-in', { origin: BASE_URL, 'content-type': 'text/plain' }, 403],
    ['POST', '/api/webhooks/guess/wallet', {}, 404],
    ['POST', `/api/payouts/${payout}`, { cookie: owner, origin: BASE_URL }, 405],
    ['DELETE', `/receipts/${receipt}/raw`, { cookie: owner, origin: BASE_URL }, 405],
  ];
  for (const [method, path, headers, status] of cases) {
    const answer = await fetch(`${BASE_URL}${path}`, { method, headers, ...(method === 'POST' ? { body: '{"step":"start","email":"ayse@demo.test","password":"demo-Parola-1"}' } : {}) });
    expect(answer.status, `${method} ${path} ${JSON.stringify(Object.keys(headers))}`).toBe(status);
  }
}

/** What a caller without the right to it must not change. The worker is stopped, so nothing else changes it either. */
async function everything(): Promise<unknown> {
  const [row] = await rows(`SELECT
    (SELECT md5(string_agg(m::text, '|' ORDER BY id)) FROM movements m) AS movements,
    (SELECT md5(string_agg(concat_ws(',', id, role, disabled_at), '|' ORDER BY id)) FROM people) AS people,
    (SELECT md5(string_agg(concat_ws(',', id, revoked_at), '|' ORDER BY id)) FROM sessions) AS sessions,
    (SELECT md5(string_agg(concat_ws(',', id, state, tries, next_at), '|' ORDER BY id)) FROM receipts) AS receipts,
    (SELECT md5(string_agg(n::text, '|' ORDER BY id)) FROM notices n) AS notices,
    (SELECT count(*) FROM audit_personal p JOIN audit_entries e USING (merchant_id, seq) WHERE e.action NOT LIKE 'session.refused') AS personal,
    (SELECT count(*) FROM approvals) AS approvals, (SELECT count(*) FROM evidence) AS evidence,
    (SELECT count(*) FROM audit_entries WHERE action NOT LIKE 'session.refused') AS audit`);
  return row;
}

async function callAction(id: string, call: Call, headers: Headers): Promise<Response> {
  const init = { method: 'POST', redirect: 'manual' as const };
  if ('args' in call) return fetch(`${BASE_URL}/payouts`, { ...init, headers: { ...headers, 'next-action': id, 'content-type': 'text/plain;charset=UTF-8' }, body: JSON.stringify(call.args) });
  const body = new FormData();
  for (const [name, value] of Object.entries(call.form)) body.append(`_1_${name}`, value);
  body.append('0', call.hasState ? '[null,"$K1"]' : '["$K1"]');
  return fetch(`${BASE_URL}/payouts`, { ...init, headers: { ...headers, 'next-action': id }, body });
}

async function cookieOf({ context }: { context: { cookies(): Promise<{ name: string; value: string }[]> } }): Promise<string> {
  const sid = (await context.cookies()).find(({ name }) => name === 'sid');
  return `sid=${sid!.value}`;
}
