-- Runs outside a transaction.
drop index concurrently if exists session_exercises_film_idx;
create index concurrently session_exercises_film_idx on session_exercises (organization_id, film_render_id)
  where film_render_id is not null;
drop index concurrently if exists session_exercises_film_due_idx;
create index concurrently session_exercises_film_due_idx on session_exercises (film_due_at) where film_due_at is not null;
