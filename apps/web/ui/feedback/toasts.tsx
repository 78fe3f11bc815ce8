import { Button, Notification } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { IconAlertCircle, IconCheck } from '../icons/index.ts'
import classes from './toasts.module.css'

export interface Toast {
  text: string
  kind?: 'done' | 'problem'
  /** Stays until it is closed, as a problem does. */
  stays?: boolean
  /** One thing to do about it, such as "Undo". */
  action?: { label: string; run: () => void }
}

const SHOWN_MS = 6_000
const SHOWN_MAX = 3

let nextId = 1
let shown: (Toast & { id: number })[] = []
const listeners = new Set<() => void>()

function change(next: typeof shown): void {
  shown = next
  for (const listener of listeners) listener()
}

const hide = (id: number) => change(shown.filter((other) => other.id !== id))

/** A short message at the bottom of the page. A problem stays until it is closed. */
export function toast(message: Toast): void {
  const id = nextId++
  change([...shown, { ...message, id }].slice(-SHOWN_MAX))
  if (message.kind !== 'problem' && !message.stays) setTimeout(() => hide(id), SHOWN_MS)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const t = useTranslations('ui.action')
  const toasts = useSyncExternalStore(subscribe, () => shown)
  return (
    <section className={`${classes.toasts} no-print`} aria-live="polite" aria-label={t('messages')}>
      {toasts.map(({ id, text, kind, action }) => (
        <Notification
          key={id}
          withBorder
          color={kind === 'problem' ? 'red' : 'tendon'}
          icon={kind === 'problem' ? <IconAlertCircle size={18} /> : <IconCheck size={18} />}
          closeButtonProps={{ 'aria-label': t('close') }}
          onClose={() => hide(id)}
        >
          {text}
          {action && (
            <Button
              variant="subtle"
              ml="sm"
              onClick={() => {
                hide(id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          )}
        </Notification>
      ))}
    </section>
  )
}
