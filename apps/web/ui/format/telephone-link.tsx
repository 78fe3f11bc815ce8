import { Anchor, Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { telephoneHref } from './telephone.ts'

interface TelephoneLinkProps extends Pick<TextProps, 'fw' | 'display' | 'py'> {
  phone: string
  children: ReactNode
}

/** Only text when there is no number to dial. */
export function TelephoneLink({ phone, children, ...style }: TelephoneLinkProps) {
  const href = telephoneHref(phone)
  if (href === undefined)
    return (
      <Text component="span" {...style}>
        {children}
      </Text>
    )
  return (
    <Anchor href={href} {...style}>
      {children}
    </Anchor>
  )
}
