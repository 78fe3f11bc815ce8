import type { Ffmpeg, Isolation } from '@tendon/video-host'

const ALLOW =
  'Allow user namespaces for the user of this process (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bwrap; in a container its seccomp profile), then restart.'

/** What keeps ffmpeg from the rest of the machine, and what to do where something is missing. */
export const SANDBOX_MESSAGES: Readonly<Record<Isolation, string>> = {
  full: 'ffmpeg runs in a sandbox without network, other files, capabilities and dangerous system calls.',
  without_user_namespace: `ffmpeg runs in a sandbox, but without a user namespace, because the system forbids it. ${ALLOW}`,
  forbidden: `ffmpeg runs WITHOUT a sandbox, because the system forbids bubblewrap to create namespaces. ${ALLOW}`,
  not_installed:
    'ffmpeg runs WITHOUT a sandbox: install bubblewrap (Debian and Ubuntu: apt-get install bubblewrap), then restart.',
  unknown_processor:
    'ffmpeg runs WITHOUT a sandbox: the filter of system calls supports only x86_64 and aarch64. Run the composer on one of these.',
}

interface Log {
  warn(facts: object, message: string): void
  info(facts: object, message: string): void
}

/** Logs once at the start how ffmpeg runs: a warning for anything weaker than the whole sandbox. */
export async function logSandbox(ffmpeg: Ffmpeg, log: Log): Promise<void> {
  const { isolation, complaint } = await ffmpeg.isolation()
  const facts = { sandbox: isolation, ...(complaint === '' ? {} : { bwrap: complaint }) }
  if (isolation === 'full') log.info(facts, SANDBOX_MESSAGES.full)
  else log.warn(facts, SANDBOX_MESSAGES[isolation])
}
