import java.io.FileInputStream;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;

/** Print what of a standard, such as 3a or ua1, PDFs do not keep: {@code java Breaches.java ua1 FILE ...}. */
public class Breaches {
    public static void main(String[] arguments) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        var standard = PDFAFlavour.byFlavourId(arguments[0]);
        for (int place = 1; place < arguments.length; place++)
            check(standard, arguments[place]);
    }

    static void check(PDFAFlavour standard, String path) throws Exception {
        try (var foundry = Foundries.defaultInstance();
             var parser = foundry.createParser(new FileInputStream(path), standard);
             var validator = foundry.createValidator(standard, false)) {
            var result = validator.validate(parser);
            for (var breach : result.getTestAssertions())
                print(path, breach.getRuleId().getClause(), breach.getLocation().getContext());
            print(path, "checks", "" + result.getTotalAssertions());
        }
    }

    static void print(String... words) {
        System.out.println(String.join("\t", words));
    }
}
