import { CloseButton, Group, Title } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslations } from 'use-intl'
import classes from './dialog.module.css'

export interface DialogProps {
  open: boolean
  title: string
  /** Called for Escape, the close button and a click beside the dialog. Left out: the dialog cannot be closed. */
  onClose?: (() => void) | undefined
  /** Hides what is behind it, for when nobody may read it. */
  covers?: boolean
  /** At the side, the whole height. */
  side?: boolean
  size?: 'sm' | 'md' | 'lg'
  children: ReactNode
}

/**
 * The browser's own modal dialog: it keeps the focus inside, closes with Escape and gives the focus back. It starts
 * with the element that has `data-autofocus`, else with its first control.
 */
export function Dialog({ open, title, onClose, covers = false, side = false, size = 'sm', children }: DialogProps) {
  const t = useTranslations('ui.action')
  const ref = useRef<HTMLDialogElement>(null)
  const isPressedBeside = useRef(false)
  const heading = useId()

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return undefined
    if (open && !dialog.open) {
      dialog.showModal()
      dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    }
    if (!open && dialog.open) dialog.close()
    return () => dialog.close()
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
        onClose?.()
      }}
      // The browser closes the dialog without a `cancel` event after a second Escape.
      onClose={(event) => {
        if (event.target !== ref.current || ref.current.open) return
        ref.current.showModal()
        onClose?.()
      }}
      // A selection of text that ends beside the dialog sends a click to it.
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === ref.current
      }}
      onClick={(event) => {
        if (event.target === ref.current && isPressedBeside.current) onClose?.()
      }}
    >
      <div className={classes.inside}>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} id={heading}>
            {title}
          </Title>
          {onClose && <CloseButton size="lg" onClick={onClose} aria-label={t('close')} />}
        </Group>
        {children}
      </div>
    </dialog>
  )
}
