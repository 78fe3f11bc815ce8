import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ApiError, List } from '@tendon/sdk'
import { type ReactNode, useId } from 'react'
import { useTranslations } from 'use-intl'
import { Skeletons } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { TextLink } from '#ui/frame/links.tsx'
import classes from './panel.module.css'

export const PANEL_ROWS = 5

export interface PanelRow {
  key: string
  link: LinkProps
  title: ReactNode
  text: ReactNode
  /** At the end of the row, such as a badge. */
  mark?: ReactNode
}

export interface PanelProps<Item> {
  title: string
  help: string
  /** The text of an empty panel. */
  empty: string
  list: { data: List<Item> | undefined; error: ApiError | null; refetch: () => unknown }
  /** There may be more than the total of the list. */
  isMore?: boolean
  row: (item: Item) => PanelRow
  /** The page with the whole list. */
  all?: LinkProps
}

/** A short list; every row links to the page where the user can act on it. */
export function Panel<Item>({ title, help, empty, list, isMore = false, row, all }: PanelProps<Item>) {
  const t = useTranslations('console.today')
  const heading = useId()
  const { data, error } = list
  return (
    <Paper withBorder component="section" aria-labelledby={heading} className={classes.panel}>
      <Stack gap={2} p="md" pb="xs">
        <Group justify="space-between" wrap="nowrap">
          <Group gap="xs">
            <Title order={2} size="h4" id={heading}>
              {title}
            </Title>
            {data !== undefined && data.total > 0 && <Badge>{isMore ? `${data.total}+` : data.total}</Badge>}
          </Group>
          {all !== undefined && data !== undefined && (isMore || data.total > data.items.length) && (
            <TextLink {...all} size="sm" aria-label={`${t('all')}: ${title}`}>
              {t('all')}
            </TextLink>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {help}
        </Text>
      </Stack>
      {data === undefined && !error && (
        <div className={classes.waiting}>
          <Skeletons rows={3} />
        </div>
      )}
      {data === undefined && error && <Problem error={error} onRetry={() => void list.refetch()} />}
      {data?.items.length === 0 && <Text className={classes.empty}>{empty}</Text>}
      {data !== undefined && data.items.length > 0 && (
        <ul className={classes.rows}>
          {data.items.map(row).map(({ key, link, title: name, text, mark }) => (
            <li key={key}>
              <Link {...link} className={classes.row}>
                <span className={classes.words}>
                  <span className={classes.name}>{name}</span>
                  <span className={classes.text}>{text}</span>
                </span>
                {mark}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Paper>
  )
}
