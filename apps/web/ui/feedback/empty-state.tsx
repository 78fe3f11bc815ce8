import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import '@mantine/core/styles/ThemeIcon.layer.css'
import type { ComponentType, ReactNode } from 'react'
import type { IconProps } from '../icons/icon.tsx'
import { IconClipboardList } from '../icons/index.ts'

export interface EmptyStateProps {
  icon?: ComponentType<IconProps>
  title: string
  /** What belongs here. */
  text?: ReactNode
  /** The one thing to do. */
  action?: ReactNode
}

/** A page or part without anything in it says what belongs there and offers the one action. */
export function EmptyState({ icon: Icon = IconClipboardList, title, text, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py="xl" ta="center" data-empty>
      <ThemeIcon size={56} radius="xl" variant="light">
        <Icon size={28} />
      </ThemeIcon>
      <Title order={2}>{title}</Title>
      {text && (
        <Text c="dimmed" maw={420}>
          {text}
        </Text>
      )}
      {action}
    </Stack>
  )
}
