package dev.sluice.flink.kafka;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.Owned;
import dev.sluice.flink.engine.PollDecoder;
import dev.sluice.flink.engine.RecordDecoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.kafka.ConsumerPolls.Found;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The decoder of one format: gives out rows that were made ahead, and decodes a record singly where
 * there is none. Rows, refusals and counts are the same either way.
 *
 * <p>The first record that is found among the polls of a consumer binds that consumer to this
 * format. From then on the next record is most often the next one of the poll, which is one
 * compare. Without an interceptor in the process each record costs one look at a number.
 *
 * <p>Belongs to one task thread, but for {@link #close} and what metrics ask. For each record,
 * {@link #find} or {@link #take} comes before {@link #decode}.
 */
public final class PolledDecoder implements RecordDecoder {
    private static final Logger LOG = LoggerFactory.getLogger(PolledDecoder.class);
    private static final AtomicLong NO_ROWS = new AtomicLong();

    private final RecordDecoder single;
    private final PollDecoder.Source ahead; // null: nothing is decoded ahead
    private final boolean framed;
    private final long bytesMax;
    private final Owned owned;
    private final HeaderFrames frames = new HeaderFrames();

    private long missedEpoch;
    private ConsumerPolls consumer; // null until a record was found
    private Role role;
    private Poll poll;
    private PollSide side;
    private volatile PollBinding binding; // null: nothing is decoded ahead now
    private boolean isRefused;

    private byte[] row;
    private byte[] header;
    private String headerName;
    private boolean isOtherMessage;

    private final Map<String, AtomicLong> rowsByMessage = new ConcurrentHashMap<>();
    private final List<AtomicLong> rowsByNumber = new ArrayList<>();
    private final AtomicLong waitingBytes = new AtomicLong();
    private int messagesPolled;

    /**
     * @param single decodes what was not decoded ahead
     * @param ahead opens what decodes ahead with the same plan; null if nothing does
     * @param framed whether records name their schemas, be it in a header
     * @param bytesMax for rows that wait
     * @param owned {@code single} and all else that {@link #close} closes
     */
    public PolledDecoder(
            RecordDecoder single,
            PollDecoder.Source ahead,
            boolean framed,
            long bytesMax,
            Owned owned) {
        this.single = single;
        this.ahead = bytesMax > 0 ? ahead : null;
        this.framed = framed;
        this.bytesMax = bytesMax;
        this.owned = owned;
    }

    /**
     * Looks the record up among the polls.
     *
     * @return whether it has a header that names its schema
     */
    public boolean find(byte[] record) {
        PollSide here = side;
        if (here == null || !here.isNext(record)) {
            if (!look(record)) {
                row = null;
                header = null;
                isOtherMessage = false;
                return false;
            }
            here = side;
        }
        PollBinding bound = binding;
        row = here.takeRow(bound);
        header = framed ? here.header() : null;
        headerName = role.header;
        if (row != null) {
            count(bound, here.outcome(bound));
            isOtherMessage = false;
        } else {
            isOtherMessage = here.outcome(bound) == -FailureCode.OTHER_MESSAGE.number();
        }
        if (!here.step()) {
            consumer.finish(poll, role);
        }
        return header != null;
    }

    /**
     * Takes the place of {@link #find} for a record whose headers the caller sees, and which so
     * needs no poll.
     *
     * @param name of the header that names the schema
     * @param value of the last header of this name; null for none
     */
    public void take(String name, byte[] value) {
        row = null;
        isOtherMessage = false;
        header = framed ? value : null;
        headerName = name;
    }

    /** The header of the record that was found or taken last, null for none. Not to be changed. */
    public byte[] header() {
        return header;
    }

    /** Moves to the record; false if it is in no poll. */
    private boolean look(byte[] record) {
        if (side != null && side.seek(record)) {
            return true;
        }
        if (consumer != null) {
            Poll next = consumer.find(record, role, poll);
            if (next != null) {
                moveTo(next);
                return true;
            }
        }
        long epoch = Polls.epoch();
        if (epoch == missedEpoch || ahead == null && !framed) {
            return false;
        }
        for (ConsumerPolls other : Polls.all()) {
            Found first = other.findFirst(record);
            if (first != null) {
                leave();
                consumer = other;
                role = first.role;
                Polls.found(other);
                moveTo(first.poll);
                return true;
            }
        }
        missedEpoch = epoch;
        return false;
    }

    private void moveTo(Poll found) {
        poll = found;
        side = poll.side(role);
        if (binding == null && ahead != null && !isRefused && !consumer.isTaken(role)) {
            bind();
        }
    }

    /** Once per consumer. */
    private void bind() {
        PollBinding made;
        try {
            made = new PollBinding(ahead.open(), framed, bytesMax, waitingBytes);
        } catch (RecordException | RuntimeException e) {
            LOG.warn("polls are not decoded ahead", e);
            isRefused = true;
            return;
        }
        if (consumer.bind(role, made)) {
            rowsByNumber.clear();
            binding = made;
        } else {
            made.close();
        }
    }

    /** Another consumer has taken the place of this one. */
    private void leave() {
        PollBinding bound = binding;
        binding = null;
        if (bound != null) {
            bound.close();
        }
        if (consumer != null) {
            consumer.leave(role);
        }
    }

    private void count(PollBinding bound, int message) {
        AtomicLong rows = message < rowsByNumber.size() ? rowsByNumber.get(message) : NO_ROWS;
        if (rows == NO_ROWS) {
            rows = meet(bound, message);
        }
        rows.lazySet(rows.get() + 1); // one thread writes
    }

    private AtomicLong meet(PollBinding bound, int message) {
        while (rowsByNumber.size() <= message) {
            rowsByNumber.add(NO_ROWS);
        }
        AtomicLong rows =
                rowsByMessage.computeIfAbsent(bound.message(message), name -> new AtomicLong());
        rowsByNumber.set(message, rows);
        messagesPolled = rowsByMessage.size();
        return rows;
    }

    /** The row of the record that was {@link #find found} last, or of one that is in no poll. */
    @Override
    public byte[] decode(byte[] record) throws RecordException, IOException {
        byte[] made = row;
        row = null;
        if (made != null || isOtherMessage) {
            return made;
        }
        return header == null ? single.decode(record) : decodeFramed(record);
    }

    private byte[] decodeFramed(byte[] record) throws RecordException, IOException {
        byte[] prefix = frames.prefix(headerName, header);
        byte[] whole = new byte[prefix.length + record.length];
        System.arraycopy(prefix, 0, whole, 0, prefix.length);
        System.arraycopy(record, 0, whole, prefix.length, record.length);
        try {
            return single.decode(whole);
        } catch (RecordException e) {
            throw e.without(prefix.length);
        }
    }

    @Override
    public long records() {
        return single.records() + polledRecords();
    }

    /** Those among {@link #records} that were decoded ahead. From any thread. */
    public long polledRecords() {
        return rowsByMessage.values().stream().mapToLong(AtomicLong::get).sum();
    }

    /** Bytes of rows that were decoded ahead and not asked for yet. From any thread. */
    public long waitingBytes() {
        return waitingBytes.get();
    }

    @Override
    public Map<String, Long> recordsByMessage() {
        Map<String, Long> rows = new TreeMap<>(single.recordsByMessage());
        rowsByMessage.forEach((message, count) -> rows.merge(message, count.get(), Long::sum));
        return rows;
    }

    @Override
    public int messagesMet() {
        return single.messagesMet() + messagesPolled;
    }

    @Override
    public boolean isNative() {
        return single.isNative();
    }

    /** Closes what it was made with, also from another thread. */
    @Override
    public void close() {
        PollBinding bound = binding;
        if (bound != null) {
            bound.close();
        }
        owned.close();
    }
}
