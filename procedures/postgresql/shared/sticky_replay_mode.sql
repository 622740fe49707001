-- What a claim may expect of its worker's cache.
--
-- p_affinity       the run's affinity, or null.
-- p_registration   the registration of the worker that claims.
-- p_last_sequence  the run's last history sequence.
-- p_now            the moment.
-- Result           sticky_hit_expected, forced_cold_replay (there is an affinity that does not hold) or cold_replay.
-- Locks            none. Writes nothing.
create or replace function byssus.sticky_replay_mode(
    p_affinity byssus.affinities, p_registration byssus.worker_registrations, p_last_sequence bigint,
    p_now timestamptz
)
returns text
language sql
stable
as $$
    select case
        when p_affinity.run_id is null then 'cold_replay'
        when p_affinity.sticky_until <= p_now then 'forced_cold_replay'
        when p_affinity.sticky_worker_id <> p_registration.worker_id then 'forced_cold_replay'
        when p_affinity.registration_token <> p_registration.registration_token then 'forced_cold_replay'
        when p_affinity.build_id is distinct from coalesce(p_registration.build_id, p_registration.sdk_version)
            then 'forced_cold_replay'
        -- A worker that says it holds what it was never given, or what the run no longer has, holds something else.
        when p_affinity.reported_sequence > p_affinity.delivered_sequence then 'forced_cold_replay'
        when p_affinity.reported_sequence > p_last_sequence then 'forced_cold_replay'
        else 'sticky_hit_expected'
    end;
$$;

comment on function byssus.sticky_replay_mode(
    byssus.affinities, byssus.worker_registrations, bigint, timestamptz
) is 'Whether a claim is expected to hit its worker''s history cache.';
