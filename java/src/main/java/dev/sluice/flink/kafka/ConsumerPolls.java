package dev.sluice.flink.kafka;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The polls of one consumer that wait for the task, first in first out, and the formats that they
 * are decoded for.
 *
 * <p>The consumer's thread publishes, the task's thread finds. Both do so under this object's lock,
 * once per poll: what the first wrote into a poll, rows included, happens before the second reads
 * it. A poll that was found belongs to the task's thread; its records are taken without a lock.
 *
 * <p>A poll goes when a record of a later one is asked for, so that records which are never asked
 * for go with it. Where nobody asks, it goes when the consumer's answer is garbage. Flink lets a
 * consumer be only a few polls ahead of the task.
 */
public final class ConsumerPolls implements AutoCloseable {
    /** The header that names a key's schema. */
    public static final String KEY_HEADER = Role.KEY.header;

    /** The header that names a value's schema. */
    public static final String VALUE_HEADER = Role.VALUE.header;

    /** More than any source lets wait; only a consumer that nobody reads from comes so far. */
    static final int POLLS_MAX = 1024;

    /**
     * Once a format was found, so many are kept even if the answer is garbage: an interceptor
     * behind ours may have put its own answer in its place, with the same records.
     */
    static final int POLLS_KEPT = 16;

    private final Deque<Poll> polls = new ArrayDeque<>();
    private final AtomicReferenceArray<PollBinding> bindings =
            new AtomicReferenceArray<>(Role.ALL.size()); // changed under the lock
    private final Set<Role> found = EnumSet.noneOf(Role.class);
    private boolean closed;
    private boolean announced;

    /**
     * Hands a poll over to whoever asks for its records, decoded for the formats that are bound.
     * For the consumer's thread, before it hands the records out.
     *
     * @param answer the consumer's own object that holds the records
     */
    public void publish(Poll poll, Object answer) {
        poll.from(answer);
        try {
            for (Role role : Role.ALL) {
                PollBinding binding = binding(role);
                if (binding != null && binding.isOpen()) {
                    poll.side(role).decodeFor(binding);
                }
            }
        } finally {
            add(poll);
        }
    }

    private PollBinding binding(Role role) {
        return bindings.get(role.ordinal());
    }

    private void add(Poll poll) {
        synchronized (this) {
            while (!polls.isEmpty() && mayGo(polls.peekFirst())) {
                polls.pollFirst().release();
            }
            polls.addLast(poll);
        }
        if (!announced) {
            announced = true;
            Polls.open(this);
        }
    }

    private boolean mayGo(Poll oldest) {
        return polls.size() >= POLLS_MAX
                || oldest.source() == null && (found.isEmpty() || polls.size() >= POLLS_KEPT);
    }

    /**
     * The poll that holds this record on a side that no format has found yet, moved to it; the side
     * belongs to the caller from now on.
     *
     * @return null if there is none
     */
    synchronized Found findFirst(byte[] record) {
        for (Role role : Role.ALL) {
            Poll poll = found.contains(role) ? null : seek(record, role, null);
            if (poll != null) {
                found.add(role);
                return new Found(poll, role);
            }
        }
        return null;
    }

    /**
     * The poll that holds this record on a side that belongs to the caller, moved to it.
     *
     * @param passed the poll that the caller has looked through
     * @return null if there is none
     */
    synchronized Poll find(byte[] record, Role role, Poll passed) {
        return seek(record, role, passed);
    }

    private Poll seek(byte[] record, Role role, Poll passed) {
        for (Poll poll : polls) {
            if (poll != passed && poll.side(role).seek(record)) {
                while (polls.peekFirst() != poll) {
                    polls.pollFirst().release(); // the task is past it, with both halves
                }
                return poll;
            }
        }
        return null;
    }

    /**
     * All records of a role were asked for. A record's key is asked for before its value: if no key
     * ever was by the last value, none will be.
     */
    synchronized void finish(Poll poll, Role role) {
        poll.side(role).drop();
        if (role == Role.VALUE && !found.contains(Role.KEY)) {
            poll.side(Role.KEY).drop();
        }
        if (poll.isOver()) {
            polls.remove(poll);
        }
    }

    /** The format that found this role will not ask again. */
    synchronized void leave(Role role) {
        polls.forEach(poll -> poll.side(role).drop());
    }

    /** A record's poll, and on which side of it the record is. */
    static final class Found {
        final Poll poll;
        final Role role;

        Found(Poll poll, Role role) {
            this.poll = poll;
            this.role = role;
        }
    }

    /**
     * Polls to come are decoded for this binding, unless another one that is open was first.
     *
     * @return whether it is the one
     */
    synchronized boolean bind(Role role, PollBinding binding) {
        PollBinding first = binding(role);
        if (closed || first != null && first.isOpen()) {
            return false;
        }
        bindings.set(role.ordinal(), binding);
        return true;
    }

    /** Whether polls of this role are decoded for some format, or will never be. */
    synchronized boolean isTaken(Role role) {
        PollBinding binding = binding(role);
        return closed || binding != null && binding.isOpen();
    }

    /**
     * No more polls come. Those that wait can still be asked for. For the consumer's thread;
     * closing twice is allowed.
     */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        for (Role role : Role.ALL) {
            PollBinding binding = binding(role);
            if (binding != null) {
                binding.close();
            }
        }
        Polls.closed(this);
    }

    /** Whether there are records that a format may find this consumer by. */
    synchronized boolean mayBeFound() {
        return !polls.isEmpty() && found.size() < Role.ALL.size();
    }

    /** The answers of the polls that wait, as far as they are alive. */
    synchronized Object[] sources() {
        return polls.stream().map(Poll::source).filter(one -> one != null).toArray();
    }

    /** How many polls wait. */
    synchronized int waiting() {
        return polls.size();
    }
}
