package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Which tokens pass (C11). */
class AccessTokenTest {
    static String jwt(String claims) {
        byte[] text = claims.getBytes(StandardCharsets.UTF_8);
        return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(text) + ".c2ln";
    }

    @Test
    void timesAreRead() throws IOException {
        String text = jwt("{'sub':'me','iat':1000,'exp':1.6e3,'x':{'exp':9}}".replace('\'', '"'));
        AccessToken token = AccessToken.read(" " + text + "\n", "scope", "sub");
        assertThat(token.text()).isEqualTo(text);
        assertThat(token.startMillis()).isEqualTo(1_000_000);
        assertThat(token.expiryMillis()).isEqualTo(1_600_000);
        assertThat(token.toString()).doesNotContain(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'sub':'me','exp':9}",
                "{'sub':'me','exp':9,'iat':null,'scope':null}",
                "{'sub':'me','exp':9,'scope':'a b'}",
                "{'sub':'me','exp':9,'scope':['a','b']}",
                "{'sub':'me','exp':9,'scope':[]}",
            })
    void scopeAndStartMayBeAbsent(String claims) throws IOException {
        String text = jwt(claims.replace('\'', '"'));
        AccessToken token = AccessToken.read(text, "scope", "sub");
        assertThat(token.startMillis()).isZero();
        assertThat(token.expiryMillis()).isEqualTo(9000);
    }

    @Test
    void claimsMayHaveOtherNames() throws IOException {
        String claims = "{'oid':'me','scp':'a','scope':7,'sub':7,'exp':9}".replace('\'', '"');
        assertThat(AccessToken.read(jwt(claims), "scp", "oid").expiryMillis()).isEqualTo(9000);
    }

    @ParameterizedTest(name = "{1} {index}")
    @CsvSource(
            quoteCharacter = '|',
            delimiter = ';',
            value = {
                "{'sub':'s3cret'}; no expiry",
                "{'sub':'s3cret','exp':null}; no expiry",
                "{'sub':'s3cret','exp':'s3cret'}; 'exp' is not a time",
                "{'sub':'s3cret','exp':-1}; 'exp' is not a time",
                "{'sub':'s3cret','exp':1e300}; 'exp' is not a time",
                "{'sub':'s3cret','exp':9,'iat':true}; 'iat' is not a time",
                "{'exp':9}; no subject",
                "{'exp':9,'sub':' '}; no subject",
                "{'exp':9,'sub':['s3cret']}; no subject",
                "{'exp':9,'sub':'me','scope':7}; 'scope' is neither",
                "{'exp':9,'sub':'me','scope':['s3cret',7]}; 'scope' is neither",
                "{'exp':9,'sub':'me','scope':[['s3cret'],'a']}; 'scope' is neither",
                "['s3cret']; not a JSON object",
                "{'s3cret; not JSON",
                "{'sub':s3cret}; not JSON",
                "|{'sub':'s3cret'|; not JSON",
            })
    void claimsThatMissSomethingAreRefused(String claims, String reason) {
        assertThatThrownBy(() -> AccessToken.read(jwt(claims.replace('\'', '"')), "scope", "sub"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(reason)
                .hasMessageNotContaining("s3cret")
                .hasNoCause();
    }

    @ParameterizedTest(name = "{index}")
    @ValueSource(
            strings = {"", "s3cret", "a.s3cret", "a..s3cret", "a.b.s3cret.d", "a.b.s3cret\r\nX: y"})
    void otherTokensAreNoJwt(String text) {
        assertThatThrownBy(() -> AccessToken.read(text, "scope", "sub"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a JWT")
                .hasMessageNotContaining("s3cret");
    }
}
