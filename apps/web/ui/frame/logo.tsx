import { Group, Text } from '@mantine/core'

export function Logo() {
  return (
    <Group gap="xs" wrap="nowrap">
      <svg width={28} height={28} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#096a54" />
        <path d="M8 9h16M16 9c-4 6 4 9 0 15" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
      </svg>
      <Text fw={700}>Tendon</Text>
    </Group>
  )
}
