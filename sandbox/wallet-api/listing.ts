import { invalid, success } from './answer.ts';
import type { Answer } from './answer.ts';
import { words } from './fields.ts';
import type { Shape, Values } from './fields.ts';
import { num } from '../store.ts';
import type { Row } from '../store.ts';
import type { World } from '../world.ts';

/** The filtering, ordering and paging that the three list operations share. */

const LARGEST_PAGE = 1000;
const DEFAULT_PAGE = 20;

export const PAGE_FIELDS: Shape = {
  order_column: { kind: 'string', required: true },
  order_by: { kind: 'string', required: true },
  page_size: { kind: 'integer', required: true },
  page_index: { kind: 'integer', required: true },
};

/** Collects the conditions of a WHERE clause with their values, one filter at a time. */
export class Filter {
  readonly conditions: string[] = [];
  readonly values: (string | number | bigint)[] = [];

  add(condition: string, ...values: (string | number | bigint | undefined | null)[]): this {
    if (values.some((value) => value === undefined || value === null || value === '')) return this;
    this.conditions.push(condition);
    this.values.push(...(values as (string | number | bigint)[]));
    return this;
  }

  /**
   * Filters by a field that has the same values `has` on every row here: matches no row when
   * `wanted` is given and is not one of them.
   */
  only(
    wanted: string | number | boolean | undefined,
    ...has: readonly (string | number | boolean)[]
  ): this {
    if (wanted !== undefined && wanted !== '' && !has.includes(wanted))
      this.conditions.push('0 = 1');
    return this;
  }

  get where(): string {
    return this.conditions.length > 0 ? `WHERE ${this.conditions.join(' AND ')}` : '';
  }
}

export type Columns = Record<string, string>;

type Paging = {
  column: string;
  wanted: string;
  order: 'asc' | 'desc';
  size: number;
  index: number;
};

function paging(world: World, values: Values, columns: Columns): Paging | string[] {
  const wanted = values.text('order_column') ?? 'CreatedDateUtc';
  const column = columns[wanted.replaceAll('_', '').toLowerCase()];
  const order = (values.text('order_by') ?? 'desc').toLowerCase();
  const size = values.whole('page_size') ?? DEFAULT_PAGE;
  const base = world.questions.page_index_base;
  const index = values.whole('page_index') ?? base;
  const wrong: string[] = [];
  if (!column) wrong.push(`'${words('order_column')}' is not a known column.`);
  if (order !== 'asc' && order !== 'desc')
    wrong.push(`'${words('order_by')}' must be asc or desc.`);
  if (size < 1) wrong.push(`'${words('page_size')}' must be greater than '0'.`);
  if (index < base)
    wrong.push(`'${words('page_index')}' must be greater than or equal to '${base}'.`);
  if (wrong.length > 0 || !column) return wrong;
  return {
    column,
    wanted,
    order: order as 'asc' | 'desc',
    size: Math.min(size, LARGEST_PAGE),
    index,
  };
}

type Listing = {
  table: string;
  filter: Filter;
  columns: Columns;
  tie: string;
  record: (row: Row) => unknown;
};

/** Answers one page in the contract's wrapper, or 999 when a paging field is wrong. */
export function listPage(world: World, values: Values, listing: Listing): Answer {
  const page = paging(world, values, listing.columns);
  if (Array.isArray(page)) return invalid(page);
  const { filter } = listing;
  const count = num(
    world.store.get(`SELECT COUNT(*) AS n FROM ${listing.table} ${filter.where}`, ...filter.values)
      ?.n,
  );
  const skip = (page.index - world.questions.page_index_base) * page.size;
  const order = `ORDER BY ${page.column} ${page.order}, ${listing.tie} ${page.order}`;
  // The page's rows are found by row id first, because sorting whole rows would carry all their
  // columns.
  const rows = world.store.all(
    `SELECT * FROM ${listing.table}
      WHERE rowid IN (SELECT rowid FROM ${listing.table} ${filter.where} ${order} LIMIT ? OFFSET ?)
      ${order}`,
    ...filter.values,
    page.size,
    skip,
  );
  const quiet = world.questions.list_code === 'null';
  return success(
    {
      results: rows.map(listing.record),
      page_index: page.index,
      last_row_index: rows.length === 0 ? 0 : skip + rows.length,
      page_count: Math.ceil(count / page.size),
      page_size: page.size,
      row_count: count,
      order_column: page.wanted,
      order_by: page.order,
    },
    quiet ? null : 'İşlem başarılı.',
    quiet ? null : '100',
  );
}
