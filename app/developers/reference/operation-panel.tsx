import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { fieldsOf } from '#lib/programs/api/openapi.ts';
import type { Operation, SchemaName } from '#lib/programs/api/openapi.ts';

export async function OperationPanel({ operation }: { operation: Operation }): Promise<ReactNode> {
  const t = await getTranslations('developers.reference');
  const rights = await getTranslations('developers.rights');
  const { id, method, path, right, body, answer } = operation;
  return (
    <Panel
      list
      title={
        <code className="font-mono text-mono break-all">
          {method.toUpperCase()} {path}
        </code>
      }
    >
      <div className="grid max-w-prose gap-1 px-4 py-3">
        <p>{t(`operations.${id}`)}</p>
        <p className="text-label text-muted">
          {t('needs', { right: `${right} (${rights(right)})` })}
        </p>
      </div>
      {body !== null && <SchemaTable name={body} caption={t('request')} />}
      <SchemaTable name={answer} caption={t('answer')} />
    </Panel>
  );
}

/** The fields of one schema; a field of the rows of a batch stands as `rows[].iban`. */
export async function SchemaTable({
  name,
  caption,
}: {
  name: SchemaName;
  caption: string;
}): Promise<ReactNode> {
  const t = await getTranslations('developers.reference');
  return (
    <>
      <h3 className="px-4 pt-3 pb-1 text-label font-semibold">{caption}</h3>
      <Table
        caption={caption}
        head={
          <>
            <Head>{t('field')}</Head>
            <Head wide>{t('meaning')}</Head>
          </>
        }
      >
        {fieldsOf(name).map(({ path, field, isRequired }) => (
          <Row key={path}>
            <Cell first>
              <span className="block md:w-64">
                <code className="font-mono text-mono wrap-break-word">{path}</code>
                <span className="block text-label text-muted">
                  {t(isRequired ? 'required' : 'optional')}
                </span>
              </span>
            </Cell>
            <Cell label={t('meaning')} wide>
              {t(`fields.${field}`)}
            </Cell>
          </Row>
        ))}
      </Table>
    </>
  );
}
