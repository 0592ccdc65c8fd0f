import { rows } from './database.ts';
import { expect, test } from './story.ts';

/** Makes the merchant nine days old: days before a merchant's creation are not compared. */
test.beforeEach(() => rows(`UPDATE merchants SET created_at = created_at - interval '9 days'`));
test.afterEach(async () => {
  await rows(`UPDATE merchants SET created_at = created_at + interval '9 days'`);
  await rows(`DELETE FROM differences; DELETE FROM reconciliations`);
});

const AGREED = `SELECT to_char(day, 'YYYY-MM-DD') AS day FROM reconciliations WHERE compared_at IS NOT NULL`;

/** Waits until every closed day of the nine has been compared. */
async function allCompared(): Promise<void> {
  await expect
    .poll(async () => (await rows(AGREED)).length, { timeout: 100_000 })
    .toBeGreaterThanOrEqual(8);
}

test('the report finds what the provider did without us, and a day without any records agrees', async ({
  sitDown,
}) => {
  const desk = await sitDown('mehmet');
  const { page, say, like } = desk;
  await allCompared();
  const [clean] = await rows<{ day: string }>(
    `${AGREED} AND digest IS NOT NULL ORDER BY day LIMIT 1`,
  );
  const [found] = await rows<{ day: string; id: string; name: string; reference: string }>(`
    SELECT to_char(d.day, 'YYYY-MM-DD') AS day, d.id, w.name, d.reference FROM differences d
      JOIN withdraw_records w ON w.request_id = d.request_id
    WHERE d.kind = 'made_elsewhere' AND d.state = 'OPEN' ORDER BY d.day DESC, d.found_at LIMIT 1`);
  expect(
    [clean, found].every((one) => one !== undefined),
    'the seeded world rests on Sundays and pays on other days',
  ).toBe(true);

  await page.goto('/');
  await page.getByRole('link', { name: like('home', 'needs.differences') }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: say('reconciliation', 'title') }),
  ).toBeVisible();
  const item = page.locator(`li[aria-labelledby="difference-${found!.id}"]`);
  const line = (day: string) =>
    page.getByRole('row').filter({ has: page.locator(`a[href*="/reconciliation/${day}"]`) });
  await expect(line(found!.day)).toContainText(like('reconciliation', 'verdicts.differences'));
  await expect(line(clean!.day)).toHaveCount(0);
  await line(found!.day).getByRole('link').click();
  await expect(item).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('link', { name: say('reconciliation', 'title'), exact: true })
    .click();
  await expect(page).toHaveURL(/\/reports\/reconciliation\?open=1$/);
  await page.getByRole('link', { name: say('reconciliation', 'views.all'), exact: true }).click();
  await expect(line(clean!.day)).toContainText(say('reconciliation', 'verdicts.clean'));
  await line(found!.day).getByRole('link').click();
  await expect(item.getByRole('heading', { level: 3 })).toHaveText(
    say('reconciliation', 'kinds.made_elsewhere.title'),
  );
  await expect(item).toContainText(say('reconciliation', 'notHere'));
  await expect(item).toContainText(found!.name);

  const clerk = await sitDown('ayse', { language: 'en' });
  await clerk.page.goto(`/reports/reconciliation/${found!.day}`);
  await expect(
    clerk.page.getByText(clerk.say('reconciliation', 'acknowledge.waits')).first(),
  ).toBeVisible();
  await expect(
    clerk.page.getByRole('button', { name: clerk.say('reconciliation', 'acknowledge.button') }),
  ).toHaveCount(0);

  await item
    .getByLabel(say('reconciliation', 'acknowledge.label'))
    .fill('Muhasebe, sağlayıcının panelinden yaptı');
  await item.getByRole('button', { name: say('reconciliation', 'acknowledge.button') }).click();
  await expect(item).toContainText('“Muhasebe, sağlayıcının panelinden yaptı”');
  await expect(item).toContainText(say('reconciliation', 'states.ACKNOWLEDGED'));
  const [trail] = await rows<{ count: number }>(
    `SELECT count(*)::int AS count FROM audit_entries WHERE action = 'reconciliation.acknowledged'
      AND subject = $1 AND body::jsonb #>> '{detail,reference}' = $2`,
    [`reconciliation:${found!.day}`, found!.reference],
  );
  expect(trail!.count).toBe(1);
  const [green] = await rows<{ body: string }>(
    `SELECT body FROM audit_entries WHERE action = 'reconciliation.clean' AND subject = $1 LIMIT 1`,
    [`reconciliation:${clean!.day}`],
  );
  expect(green?.body).toContain('digest');
  await page.goto(`/reports/reconciliation/${clean!.day}`);
  await expect(page.getByText(say('reconciliation', 'nothing.clean'))).toBeVisible();
});
