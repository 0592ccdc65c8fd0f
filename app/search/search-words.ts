import { getTranslations } from 'next-intl/server';

/**
 * The dialog's own texts, loaded when it is opened, so that no page carries them. `tooMany` has
 * `{seconds}` in place of the seconds to wait.
 */
export type SearchWords = Record<
  | 'placeholder'
  | 'label'
  | 'close'
  | 'all'
  | 'none'
  | 'card'
  | 'askProvider'
  | 'asking'
  | 'tooMany'
  | 'recent'
  | 'provider'
  | 'move'
  | 'open',
  string
> & {
  empty: { title: string; text: string; samples: { what: string; sample: string }[] };
};

const SAMPLES = [
  'iban',
  'reference',
  'number',
  'amount',
  'tax',
  'name',
  'order',
  'card',
  'link',
  'plan',
] as const;

export async function searchWords(): Promise<SearchWords> {
  const t = await getTranslations('search');
  return {
    placeholder: t('placeholder'),
    label: t('label'),
    close: t('keys.close'),
    all: t('all'),
    none: t('none'),
    card: t('card'),
    askProvider: t('askProvider'),
    asking: t('asking'),
    tooMany: t.raw('tooMany') as string,
    recent: t('groups.recent'),
    provider: t('groups.provider'),
    move: t('keys.move'),
    open: t('keys.open'),
    empty: {
      title: t('empty.title'),
      text: t('empty.text'),
      samples: SAMPLES.map((name) => ({
        what: t(`empty.${name}`),
        sample: t(`empty.samples.${name}`),
      })),
    },
  };
}
