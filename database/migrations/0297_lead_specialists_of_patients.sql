-- The lead of patients who have none: the author of the newest active plan, if a specialist, else the specialist of the last
-- completed visit. Nothing of a restricted or erased record is derived.
alter table patients validate constraint patients_lead_specialist_fkey;
-- As the role that is exempt from policies: no organization is in context, and the table is not locked meanwhile.
set local role tendon_definer;
update patients p set lead_specialist_id = found.specialist_id
  from (
    select o.id, coalesce(author.id, visit.specialist_id) as specialist_id
    from patients o
    left join lateral (
      select created_by_principal_id from treatment_plans t
      where t.organization_id = o.organization_id and t.patient_profile_id = o.patient_profile_id and t.status = 'active'
      order by t.activated_at desc nulls last, t.id desc limit 1) plan on true
    left join specialists author on author.organization_id = o.organization_id
      and author.human_id = plan.created_by_principal_id and author.deleted_at is null
    left join lateral (
      select a.specialist_id from appointments a
      join specialists s on s.organization_id = a.organization_id and s.id = a.specialist_id and s.deleted_at is null
      where a.organization_id = o.organization_id and a.patient_id = o.id and a.status = 'completed'
      order by a.starts_at desc nulls last, a.id desc limit 1) visit on true
    where o.lead_specialist_id is null and o.restricted_at is null and o.erased_at is null
  ) found
  where p.id = found.id and found.specialist_id is not null;
set local role tendon_owner;
