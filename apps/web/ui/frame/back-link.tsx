import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconArrowLeft } from '../icons/index.ts'

/** The link to the parent page, above the heading. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Button
      variant="subtle"
      size="md"
      w="fit-content"
      px="xs"
      ml={-10}
      mb={-12}
      className="no-print"
      leftSection={<IconArrowLeft size={18} />}
      renderRoot={(props) => <Link {...props} to={to} />}
    >
      {children}
    </Button>
  )
}
