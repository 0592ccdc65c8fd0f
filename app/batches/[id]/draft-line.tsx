import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { ReasonForm } from '#components/reason-form.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import { Cell, Row } from '#components/ui/table.tsx';
import { hasProblem } from '#lib/batches/draft/check-rows.ts';
import type { CheckedRow, RowFinding, RowState } from '#lib/batches/draft/check-rows.ts';
import type { CheckedDraft } from '#lib/batches/draft/read.ts';
import type { EditableField } from '#lib/batches/draft/stored.ts';
import { findingValues } from '#lib/payment-checks/finding-values.ts';
import type { Locale } from '#lib/values/locale.ts';
import { confirmRow, takeRow } from '../actions.ts';
import { CellEditor } from './cell-editor.tsx';
import { cellView } from './cell-view.ts';
import type { CellView, CellWords } from './cell-view.ts';
import { confirmedWords } from './confirmed-words.ts';

type TypeChoice = { code: string; description: string };
type Props = {
  draft: CheckedDraft;
  row: CheckedRow;
  types: readonly TypeChoice[];
  isOwn: boolean;
};

const TONES: Record<RowState, Tone> = {
  out: 'draft',
  error: 'failed',
  ask: 'attention',
  blocked: 'failed',
  warn: 'attention',
  repaired: 'progress',
  ok: 'settled',
};
const RECIPIENT: readonly EditableField[] = ['name', 'iban', 'taxNumber'];
/** Fields that most files lack: drawn only when there is something to say. */
const RARE: readonly EditableField[] = ['recipient', 'currency', 'person'];
/** Fields of an account of a bank, which a row that pays a person lacks. */
const OF_BANK: readonly EditableField[] = ['iban', 'taxNumber'];

/** One row of the file: its cells, what was found about it, and whether it is paid at all. */
export async function DraftLine({ draft, row, types, isOwn }: Props): Promise<ReactNode> {
  const t = await getTranslations('batches.rows');
  const { batch } = draft;
  const of = { id: batch.id, version: batch.version };
  const words = await cellWords(batch.currency);
  const view = (field: EditableField): CellView => cellView(row, field, batch.edits, words);
  const options = types.map(({ code, description }) => ({
    value: code,
    name: `${code} · ${description}`,
  }));
  const editor = (field: EditableField): ReactNode => (
    <CellEditor
      key={field}
      of={of}
      row={{ key: row.key, number: row.number }}
      view={named(view(field), types)}
      canEdit={isOwn && !row.isOut}
      mono={field === 'iban' || field === 'taxNumber' || field === 'person'}
      {...(field === 'paymentType' && options.length > 0 && { options })}
    />
  );
  return (
    <Row>
      <Cell first label={t('columns.row')}>
        <span className="tabular-nums">{row.number}</span>
      </Cell>
      <Cell label={t('columns.recipient')}>
        <div className="grid gap-1.5 text-left">{payeeFields(draft, row).map(editor)}</div>
      </Cell>
      <Cell label={t('columns.amount')}>{editor('amount')}</Cell>
      <Cell label={t('columns.purpose')}>
        <div className="grid gap-1.5 text-left">
          {editor('paymentType')}
          {row.cells.paymentType.state === 'empty' && row.content.paymentType !== undefined && (
            <ForAll text={typeName(row.content.paymentType, types)} />
          )}
          {editor('description')}
          {row.cells.description.state === 'empty' && row.content.description && (
            <ForAll text={row.content.description} />
          )}
        </div>
      </Cell>
      <Cell label={t('columns.state')}>
        <div className="grid gap-1.5 text-left">
          <span>
            <Pill tone={TONES[row.state]}>{t(`states.${row.state}`)}</Pill>
          </span>
          {!row.isOut && <Findings draft={draft} row={row} isOwn={isOwn} />}
        </div>
      </Cell>
      <Cell whole>
        {isOwn && (
          <ActionButton
            action={takeRow}
            look="ghost"
            fields={{
              ...{ id: of.id, version: String(of.version), row: row.key },
              out: row.isOut ? 'no' : 'yes',
            }}
            label={t(row.isOut ? 'inOne' : 'outOne', { row: row.number })}
          >
            {t(row.isOut ? 'in' : 'out')}
          </ActionButton>
        )}
      </Cell>
    </Row>
  );
}

/**
 * Rare fields that the row has, and those of its payee. Where the file has a column for people, a
 * row without an IBAN can be given one.
 */
function payeeFields({ mapping }: CheckedDraft, { cells, found }: CheckedRow): EditableField[] {
  const isFilled = (field: EditableField): boolean => cells[field].state !== 'empty';
  const mayNamePerson = mapping.person !== undefined && !isFilled('iban');
  return [
    ...RARE.filter((field) => isFilled(field) || (field === 'person' && mayNamePerson)),
    ...RECIPIENT.filter((field) => found === null || !OF_BANK.includes(field) || isFilled(field)),
  ];
}

async function ForAll({ text }: { text: string }): Promise<ReactNode> {
  const t = await getTranslations('batches.rows');
  return (
    <p className="text-label wrap-anywhere text-muted">
      {text} · {t('forAll')}
    </p>
  );
}

/** What the rules found, and the confirmation of warnings with one reason. */
async function Findings({ draft, row, isOwn }: Omit<Props, 'types'>): Promise<ReactNode> {
  const t = await getTranslations('batches.tick');
  const { batch } = draft;
  const given = row.ticked?.reason ?? null;
  const canTick = isOwn && row.unticked.length > 0 && (row.state === 'warn' || hasProblem(row));
  return (
    <>
      <ul className="grid gap-1">
        {row.findings.map((finding) => (
          <FindingLine
            key={JSON.stringify(finding)}
            finding={finding}
            now={draft.at}
            toPerson={row.found !== null}
          />
        ))}
      </ul>
      {given !== null && row.unticked.length === 0 && (
        <p className="text-label text-muted">{await confirmedWords(given)}</p>
      )}
      {canTick && (
        <ReasonForm
          action={confirmRow}
          fields={{
            ...{ id: batch.id, version: String(batch.version), row: row.key },
            keys: JSON.stringify(row.unticked),
          }}
          label={t('label')}
          hint={t('hint')}
          button={t('button')}
        />
      )}
    </>
  );
}

async function FindingLine({
  finding,
  now,
  toPerson,
}: {
  finding: RowFinding;
  now: string;
  /** The row pays a person's wallet, and its findings are those of the form for transfers. */
  toPerson: boolean;
}): Promise<ReactNode> {
  const [own, form, transfer] = await Promise.all([
    getTranslations('batches.findings'),
    getTranslations('payoutErrors.findings'),
    getTranslations('transferErrors.findings'),
  ]);
  const see = await getTranslations('newPayout.overrides');
  const locale = (await getLocale()) as Locale;
  const values = { locale, now, zone: await getTimeZone() };
  const textOf = (): string => {
    if ('stands' in finding) return own(finding.code, finding.params);
    const words = toPerson && transfer.has(finding.code) ? transfer : form;
    return words(finding.code, findingValues(finding, values));
  };
  const look =
    finding.level === 'block'
      ? 'text-failed'
      : finding.level === 'warn'
        ? 'text-attention'
        : 'text-muted';
  return (
    <li className={`text-label wrap-anywhere ${look}`}>
      {textOf()}
      {'movementId' in finding && finding.movementId !== undefined && (
        <>
          {' '}
          <Link
            href={`/payouts/${finding.movementId}`}
            className="font-medium underline underline-offset-2"
          >
            {see('see')}
          </Link>
        </>
      )}
    </li>
  );
}

async function cellWords(currency: string): Promise<CellWords> {
  return { locale: (await getLocale()) as Locale, currency, t: await getTranslations() };
}

/** A payment type with its name. */
function named(view: CellView, types: readonly TypeChoice[]): CellView {
  return view.field === 'paymentType' && view.shown !== ''
    ? { ...view, shown: typeName(view.shown, types) }
    : view;
}

function typeName(code: string, types: readonly TypeChoice[]): string {
  const found = types.find((type) => type.code === code);
  return found === undefined ? code : `${found.code} · ${found.description}`;
}
