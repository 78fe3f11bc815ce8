import { Group, Stack, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

export interface PageProps {
  /** The heading. It is also the window's title unless `documentTitle` is given. */
  title: ReactNode
  /** For pages whose heading is a person's name: a name must not be in the window's title. */
  documentTitle?: string
  /** The back link, above the heading. */
  back?: ReactNode
  /** Buttons beside the heading. */
  actions?: ReactNode
  children: ReactNode
}

/** Every page is one of these: exactly one h1, a title for the window, its actions. */
export function Page({ title, documentTitle, back, actions, children }: PageProps) {
  const plain = documentTitle ?? (typeof title === 'string' ? title : '')
  useWindowTitle(plain)
  return (
    <Stack gap="lg">
      {back}
      <Group justify="space-between" align="center" gap="sm">
        <Title order={1} tabIndex={-1}>
          {title}
        </Title>
        {actions && (
          <Group gap="xs" className="no-print">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  )
}

export function useWindowTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Tendon' : `${title} · Tendon`
  }, [title])
}
