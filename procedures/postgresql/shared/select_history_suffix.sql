-- From where on a claim is sent history: behind what its worker provably holds, or from the beginning.
--
-- p_affinity       the run's affinity, or null.
-- p_registration   the registration of the worker that claims.
-- p_mode           the claim's replay mode (sticky_replay_mode).
-- p_last_sequence  the run's last history sequence.
-- Result           the sequence that the suffix begins behind; 0: full history. All five conditions must hold.
-- Locks            none. Writes nothing.
create or replace function byssus.select_history_suffix(
    p_affinity byssus.affinities, p_registration byssus.worker_registrations, p_mode text, p_last_sequence bigint
)
returns bigint
language sql
stable
as $$
    select case
        when
            -- 1. The same worker, unexpired, under the same registration and build.
            p_mode = 'sticky_hit_expected'
            -- 2. It asked for suffixes when it registered.
            and p_registration.sticky_history_suffix
            -- 3. Its last accepted completion of this run said through where it holds the history.
            and p_affinity.reported_sequence is not null
            -- 4. That was delivered to it.
            and p_affinity.reported_sequence <= p_affinity.delivered_sequence
            -- 5. That lies within the run's history.
            and p_affinity.reported_sequence between 1 and p_last_sequence
            then p_affinity.reported_sequence
        else 0
    end;
$$;

comment on function byssus.select_history_suffix(
    byssus.affinities, byssus.worker_registrations, text, bigint
) is 'The history sequence behind which a claim is sent events, 0 for full history.';
