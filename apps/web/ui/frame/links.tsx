import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { IconArrowLeft } from '../icons/index.ts'

// Links with Mantine's look. Where they lead to is typed by the routes of the app: `to="/$clinic/patients" params={…}`.

type AnchorLinkProps = AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>
type ButtonLinkProps = ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>

export const TextLink = createLink((props: AnchorLinkProps) => <Anchor {...props} />)

export const ButtonLink = createLink((props: ButtonLinkProps) => <Button component="a" {...props} />)

/** The link to the parent page, above the heading. */
export const BackLink = createLink((props: ButtonLinkProps) => (
  <Button
    component="a"
    variant="subtle"
    size="md"
    w="fit-content"
    px="xs"
    ml={-10}
    mb={-12}
    className="no-print"
    leftSection={<IconArrowLeft size={18} />}
    {...props}
  />
))
