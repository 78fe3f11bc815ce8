import { Button, Stack } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { IconCheck, IconSelector } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { clinicsOf } from '#ui/session/clinics.ts'
import { useMe } from '#ui/session/me.ts'
import classes from './clinic-switcher.module.css'

/** The clinic's name: a menu of the clinics where the person works. Entering another loads the whole page, so nothing of this clinic stays in memory. */
export function ClinicSwitcher() {
  const t = useTranslations('console.clinics')
  const frame = useTranslations('ui.frame')
  const { id: current, name } = useClinic()
  const clinics = clinicsOf(useMe())
  const menu = useId()
  const [leaving, setLeaving] = useState(false)
  const switching = useWrite('PUT /v1/me/switch-organization')

  const enter = ({ id, slug }: { id: string; slug: string }) =>
    switching.mutate({ body: { organization_id: id } }, { onSuccess: () => location.assign(`/console/${slug}`) })

  return (
    <>
      <span className={classes.printed}>{name}</span>
      <button
        type="button"
        className={`${classes.name} no-print`}
        popoverTarget={menu}
        aria-label={frame('clinic', { name })}
      >
        <span>{name}</span>
        <IconSelector size={18} />
      </button>
      <div id={menu} popover="auto" className={classes.menu}>
        <Stack gap="xs">
          <ul className={classes.clinics} aria-label={t('title')}>
            {clinics.map((clinic) => (
              <li key={clinic.id}>
                <Button
                  component="a"
                  href={`/console/${clinic.slug}`}
                  variant={clinic.id === current ? 'light' : 'subtle'}
                  justify="space-between"
                  fullWidth
                  aria-current={clinic.id === current ? 'true' : undefined}
                  rightSection={clinic.id === current && <IconCheck size={18} />}
                  loading={switching.isPending && switching.variables.body.organization_id === clinic.id}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return
                    event.preventDefault()
                    if (clinic.id !== current) enter(clinic)
                  }}
                >
                  {clinic.name}
                </Button>
              </li>
            ))}
          </ul>
          <Problem error={switching.error} />
          <Button variant="default" popoverTarget={menu} popoverTargetAction="hide" onClick={() => setLeaving(true)}>
            {t('leave')}
          </Button>
        </Stack>
      </div>
      <Leave open={leaving} onClose={() => setLeaving(false)} />
    </>
  )
}

function Leave({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('console.clinics')
  const { id, name } = useClinic()
  const leaving = useWrite('DELETE /v1/me/memberships/{organizationId}', { onDone: () => location.assign('/console/') })
  return (
    <Confirm
      open={open}
      title={t('leaveTitle', { name })}
      text={t('leaveText')}
      action={t('leave')}
      danger
      pending={leaving.isPending}
      error={leaving.error}
      onConfirm={() => leaving.mutate({ params: { organizationId: id } })}
      onClose={onClose}
    />
  )
}
