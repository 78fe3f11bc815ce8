import { CloseButton, Group, Title } from '@mantine/core'
import { createContext, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import classes from './dialog.module.css'

export interface DialogProps {
  open: boolean
  title: string
  /** Called for Escape, the close button and a click beside the dialog. Left out: the dialog cannot be closed. */
  onClose?: (() => void) | undefined
  /** Closing it is a navigation, which asks before typed input is lost. */
  closesByNavigation?: boolean
  /** Hides what is behind it, for when nobody may read it. */
  covers?: boolean
  /** At the side, the whole height. */
  side?: boolean
  size?: 'sm' | 'md' | 'lg'
  children: ReactNode
}

/** What asks before a dialog is closed; `useUnsavedGuard` adds itself. */
export const CloseQuestions = createContext<Set<() => Promise<boolean>> | undefined>(undefined)

/**
 * The browser's own modal dialog: it keeps the focus inside, closes with Escape and gives the focus back. It starts
 * with the element that has `data-autofocus`, else with its first control.
 */
export function Dialog({ open, title, onClose, children, ...style }: DialogProps) {
  const { closesByNavigation = false, covers = false, side = false, size = 'sm' } = style
  const t = useTranslations('ui.action')
  const ref = useRef<HTMLDialogElement>(null)
  const isPressedBeside = useRef(false)
  const heading = useId()
  const [questions] = useState(() => new Set<() => Promise<boolean>>())
  const close =
    onClose &&
    (async () => {
      for (const mayClose of questions) if (!(await mayClose())) return
      onClose()
    })

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return undefined
    const before = document.activeElement
    if (open && !dialog.open) {
      dialog.showModal()
      dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    }
    if (!open && dialog.open) dialog.close()
    return () => {
      dialog.close()
      // The browser gives the focus back only to a dialog that is still part of the page.
      const isLost = document.activeElement === null || document.activeElement === document.body
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [open])

  if (!open) return null
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape is the key
    <dialog
      ref={ref}
      className={classes.dialog}
      data-covers={covers}
      data-side={side}
      data-size={size}
      aria-labelledby={heading}
      // Events of dialogs and file inputs inside this dialog arrive here too.
      onCancel={(event) => {
        if (event.target !== ref.current) return
        event.preventDefault()
        void close?.()
      }}
      // The browser closes the dialog without a `cancel` event after a second Escape.
      onClose={(event) => {
        if (event.target !== ref.current || ref.current.open) return
        ref.current.showModal()
        void close?.()
      }}
      // A form in this dialog sends nothing that stands around the dialog.
      onSubmit={(event) => event.stopPropagation()}
      // A selection of text that ends beside the dialog sends a click to it.
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === ref.current
      }}
      onClick={(event) => {
        if (event.target === ref.current && isPressedBeside.current) void close?.()
      }}
    >
      <div className={classes.inside}>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} id={heading}>
            {title}
          </Title>
          {close && <CloseButton size="lg" onClick={() => void close()} aria-label={t('close')} />}
        </Group>
        <CloseQuestions value={closesByNavigation ? undefined : questions}>{children}</CloseQuestions>
      </div>
    </dialog>
  )
}
