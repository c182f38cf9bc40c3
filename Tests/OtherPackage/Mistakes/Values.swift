import PDefaults

func values() {
    @PDefaults("volume") var volume = 5
    @PDefaults("ratio") var ratio = 0.5
    // expected-error@+1 {{cannot assign value of type 'String' to type 'Int'}}
    volume = "loud"
    // expected-error@+1 {{cannot convert value of type 'PDefaults<Double>' to expected argument type 'PDefaults<Int>'}}
    _volume.migrate(to: _ratio)
    // expected-note@-1 *{{}}
}
