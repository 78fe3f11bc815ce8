import { Checkbox, Group, Stack, Table, UnstyledButton, VisuallyHidden } from '@mantine/core'
import '@mantine/core/styles/Table.layer.css'
import type { ApiError, List } from '@tendon/sdk'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Problem } from '../feedback/problem.tsx'
import { IconArrowDown, IconArrowUp } from '../icons/index.ts'
import classes from './data-list.module.css'
import { EmptyList } from './empty-list.tsx'
import { ListPages } from './list-pages.tsx'
import { useChangeSearch, useListSearch } from './list-search.ts'
import { PrivateSearchBox, SearchBox } from './search-box.tsx'

export interface Column<Row> {
  key: string
  header: string
  /** The first column holds the row's link. */
  cell: (row: Row) => ReactNode
  /** The API's name of this order, for columns that can be sorted. */
  sort?: string
  /** Left out on narrow screens. */
  wide?: boolean
  align?: 'end'
  /** Shows the header only to screen readers, for example above buttons. */
  hideHeader?: boolean
}

export interface DataListProps<Row> {
  /** Names the table for screen readers. */
  label: string
  list: { data: List<Row> | undefined; error: ApiError | null; isPlaceholderData: boolean; refetch: () => unknown }
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** What the search looks in, such as "Name or phone". Left out: the list has no search. */
  searchLabel?: string
  /** For lists of people: keeps the search text out of the URL, because it is somebody's name. */
  privateSearch?: { value: string; onChange: (text: string) => void }
  /** Beside the search: selects, switches. They change the URL with `useChangeSearch`. */
  filters?: ReactNode
  /** Names of filters in the URL: with one of them, an empty list is "nothing fits". */
  filterNames?: readonly string[]
  /** When there is nothing yet: what belongs here, and the one action. */
  empty: ReactNode
  /** Shown above the table for chosen rows; without it rows cannot be chosen. */
  selection?: (rows: Row[], clear: () => void) => ReactNode
}

/** A list as a table: search, filters, order and page are in the URL; the previous rows stay until the next have come. */
export function DataList<Row>(props: DataListProps<Row>) {
  const { list, columns, rowKey, selection, label } = props
  const t = useTranslations('ui.list')
  const search = useListSearch()
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const isFiltered =
    (props.privateSearch?.value ?? '') !== '' ||
    [...(props.filterNames ?? []), 'q'].some((name) => Reflect.get(search, name))
  const rows = list.data?.items
  const table = useRef<HTMLTableElement>(null)
  const focusFirstRow = () => table.current?.querySelector<HTMLElement>('tbody a')?.focus()
  const isCurrent = list.data !== undefined && !list.isPlaceholderData
  const opensFirst = useRef(false)
  const openFirstRow = () => {
    opensFirst.current = !isCurrent
    if (isCurrent) table.current?.querySelector<HTMLElement>('tbody a')?.click()
  }
  useEffect(() => {
    if (opensFirst.current && isCurrent) openFirstRow()
  })
  const searching = { onDown: focusFirstRow, onEnter: openFirstRow }
  const choose = (row: Row) => {
    const next = new Map(chosen)
    if (!next.delete(rowKey(row))) next.set(rowKey(row), row)
    setChosen(next)
  }

  const toolbar = (props.searchLabel !== undefined || props.filters) && (
    <Group className="no-print" gap="sm">
      {props.searchLabel !== undefined &&
        (props.privateSearch ? (
          <PrivateSearchBox label={props.searchLabel} {...searching} {...props.privateSearch} />
        ) : (
          <SearchBox label={props.searchLabel} {...searching} />
        ))}
      {props.filters}
    </Group>
  )
  if (list.error && !rows)
    return (
      <Stack>
        {toolbar}
        <Problem error={list.error} onRetry={() => void list.refetch()} />
      </Stack>
    )
  if (rows?.length === 0 && !list.isPlaceholderData)
    return (
      <Stack>
        {(isFiltered || (search.page ?? 1) > 1) && toolbar}
        <EmptyList
          isFiltered={isFiltered}
          filterNames={props.filterNames ?? []}
          empty={props.empty}
          onClear={() => props.privateSearch?.onChange('')}
        />
      </Stack>
    )
  return (
    <Stack>
      {toolbar}
      <VisuallyHidden role="status">{list.data ? t('total', { total: list.data.total }) : ''}</VisuallyHidden>
      {selection && chosen.size > 0 && selection([...chosen.values()], () => setChosen(new Map()))}
      <Table
        ref={table}
        className={classes.table}
        data-waiting={list.isPlaceholderData}
        highlightOnHover
        aria-label={label}
      >
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={48}>
                <VisuallyHidden>{t('choose')}</VisuallyHidden>
              </Table.Th>
            )}
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={search.sort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows?.map((row) => (
            <Table.Tr key={rowKey(row)} className={classes.row}>
              {selection && (
                <Table.Td className={classes.above}>
                  <Checkbox
                    aria-label={t('chooseRow')}
                    checked={chosen.has(rowKey(row))}
                    onChange={() => choose(row)}
                  />
                </Table.Td>
              )}
              {columns.map(({ key, cell, wide, align }) => (
                <Table.Td key={key} {...(wide ? { className: classes.wide } : {})} ta={align ?? 'start'}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          )) ?? <WaitingRows columns={columns.length + (selection ? 1 : 0)} />}
        </Table.Tbody>
      </Table>
      {list.data && <ListPages {...list.data} />}
    </Stack>
  )
}

function Heading<Row>({ column, sort }: { column: Column<Row>; sort: string | undefined }) {
  const change = useChangeSearch()
  const { header, sort: order, wide, align } = column
  const state = sort === order ? 'ascending' : sort === `-${order}` ? 'descending' : 'none'
  const className = wide ? { className: classes.wide } : {}
  if (order === undefined)
    return (
      <Table.Th scope="col" ta={align ?? 'start'} {...className}>
        {column.hideHeader ? <VisuallyHidden>{header}</VisuallyHidden> : header}
      </Table.Th>
    )
  const Arrow = state === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <Table.Th scope="col" aria-sort={state} ta={align ?? 'start'} {...className}>
      <UnstyledButton
        className={classes.sort}
        onClick={() => change({ sort: state === 'ascending' ? `-${order}` : order })}
      >
        {header}
        <Arrow size={14} data-state={state} className={classes.arrow} />
      </UnstyledButton>
    </Table.Th>
  )
}

const WAITING_ROWS = 8

function WaitingRows({ columns }: { columns: number }) {
  return Array.from({ length: WAITING_ROWS }, (_, row) => (
    <Table.Tr key={row} aria-hidden="true">
      <Table.Td colSpan={columns}>
        <div className={classes.waiting} />
      </Table.Td>
    </Table.Tr>
  ))
}
