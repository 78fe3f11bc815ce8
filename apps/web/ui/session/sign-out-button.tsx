import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ApiError } from '@tendon/sdk'
import { Problem } from '../feedback/problem.tsx'
import { useSignOut } from './sign-in.ts'

/** For pages without the account menu. */
export function SignOutButton({ label }: { label: string }) {
  const leaving = useMutation<void, ApiError>({ mutationFn: useSignOut() })
  return (
    <>
      <Button variant="default" size="md" loading={leaving.isPending} onClick={() => leaving.mutate()}>
        {label}
      </Button>
      <Problem error={leaving.error} />
    </>
  )
}
