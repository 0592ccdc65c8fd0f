'use server';

import { revalidatePath } from 'next/cache';
import { getLocale, getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import * as z from 'zod';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import type { Person } from '#lib/access/actor.ts';
import {
  chooseColumn,
  chooseDefaults,
  chooseInCell,
  chooseTable,
  chooseWallet,
  discardDraft,
  restoreCell,
  takeRows,
  tickRow,
  typeIntoCell,
  undoCell,
} from '#lib/batches/draft/change.ts';
import type { OfDraft } from '#lib/batches/draft/change.ts';
import { splitProblems } from '#lib/batches/draft/split.ts';
import { tickKind } from '#lib/batches/draft/tick-kind.ts';
import { moneyAction } from '#lib/login/action.ts';
import type { Locale } from '#lib/values/locale.ts';

/** Changes of a draft. Every form names the draft and the version of it that it was drawn from. */

/** What was typed into a cell, a reading of it, or the text of the file again: `how`. */
export async function changeCell(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const cell = { row: text(form, 'row'), field: text(form, 'field') };
  const locale = (await getLocale()) as Locale;
  return act(form, async (actor, of) => {
    switch (text(form, 'how')) {
      case 'undo':
        return undoCell(actor, of, cell);
      case 'restore':
        return restoreCell(actor, of, cell);
      case 'choose':
        return chooseInCell(actor, of, { ...cell, choice: Number(text(form, 'choice')) });
      default:
        return typeIntoCell(actor, of, { ...cell, text: text(form, 'text'), locale });
    }
  });
}

/** Takes a row out of the draft, or back in. */
export async function takeRow(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const out = text(form, 'out') === 'yes';
  return act(form, (actor, of) => takeRows(actor, of, { rows: [text(form, 'row')], out }));
}

/** Confirms the warnings of a row, with a reason. */
export async function confirmRow(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const tick = {
    row: text(form, 'row'),
    keys: keysOf(text(form, 'keys')),
    reason: text(form, 'reason'),
  };
  return act(form, (actor, of) => tickRow(actor, of, tick));
}

/** Confirms all warnings of one kind, with one reason. */
export async function confirmKind(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const kind = {
    code: text(form, 'code'),
    seen: text(form, 'seen'),
    reason: text(form, 'reason'),
  };
  const locale = (await getLocale()) as Locale;
  return act(form, (actor, of) => tickKind(actor, of, kind, locale));
}

/** What a column of the file means. */
export async function chooseMeaning(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const column = Number(text(form, 'column'));
  const [field, before] = [text(form, 'meaning'), text(form, 'before')];
  return act(form, (actor, of) =>
    field === ''
      ? chooseColumn(actor, of, { field: before, column: null })
      : chooseColumn(actor, of, { field, column }),
  );
}

/** Another sheet or other heading rows, or a row that was left out and is a payment. */
export async function changeTable(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const [sheet, take] = [text(form, 'sheet'), text(form, 'take')];
  const headings = (text(form, 'headings').match(/\d{1,7}/g) ?? []).map(Number);
  return act(form, (actor, of) => {
    if (take !== '') return chooseTable(actor, of, { takeAlso: Number(take) });
    if (form.has('headings'))
      return chooseTable(actor, of, { headings: headings.length === 0 ? 'none' : headings });
    return chooseTable(actor, of, { sheet: Number(sheet) });
  });
}

/** The wallet, and what rows without a payment type or a description get. */
export async function saveSettings(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const defaults = {
    paymentType: text(form, 'paymentType'),
    description: text(form, 'description'),
  };
  return act(form, async (actor, of) => {
    const wallet = text(form, 'wallet');
    const isOther = wallet !== '' && wallet !== text(form, 'walletBefore');
    const { version } = isOther ? await chooseWallet(actor, of, wallet) : of;
    return chooseDefaults(actor, { ...of, version }, defaults);
  });
}

/** Makes a draft of its own of the rows with problems, and opens it. */
export async function splitOff(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const locale = (await getLocale()) as Locale;
  const done = await moneyAction((actor) => splitProblems(actor, ofDraft(form), locale));
  if ('kind' in done) return messageOf(done);
  revalidatePath('/batches', 'layout');
  redirect(`/batches/${done.id}`);
}

/** Ends a draft that is not wanted. */
export async function discard(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await discardDraft(actor, ofDraft(form));
    return 'done' as const;
  });
  if (done !== 'done') return messageOf(done);
  revalidatePath('/batches', 'layout');
  redirect('/batches');
}

async function act(
  form: FormData,
  verb: (actor: Person, of: OfDraft) => Promise<{ version: number }>,
): Promise<ActionMessage> {
  const done = await moneyAction((actor) => verb(actor, ofDraft(form)));
  // The page is drawn anew after a refusal too: another tab may have made a later version.
  revalidatePath('/batches', 'layout');
  if ('kind' in done) return messageOf(done);
  return { ok: true, text: (await getTranslations('batches.cell'))('saved') };
}

function keysOf(written: string): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(written));
  } catch {
    return [];
  }
}

function ofDraft(form: FormData): OfDraft {
  return { id: text(form, 'id'), version: Number(text(form, 'version')) };
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
